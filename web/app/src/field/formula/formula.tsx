import { BookOpen } from "lucide-react";
import { useId, useMemo, useRef, useState } from "react";
import { useFormulaText } from "../../text/formula.ts";
import { Button } from "../../ui/button.tsx";
import { join } from "../../ui/class.ts";
import { Row } from "../../ui/form.tsx";
import { HelpLink } from "../../ui/helplink.tsx";
import { DateConfig, TimestampConfig } from "../config/panel.tsx";
import type { ConfigProps } from "../kind.ts";
import { useFormulaCheck } from "./check.ts";
import { type EditorHandle, FormulaEditor } from "./editor.tsx";
import { NumbersConfig } from "./numbers.tsx";
import { Outcome } from "./outcome.tsx";
import { Preview } from "./preview.tsx";
import { placeOf, stillThere } from "./problem.ts";
import { Reference } from "./reference.tsx";
import { readableFields } from "./source.ts";

const formats: Record<string, typeof DateConfig | undefined> = {
  date: DateConfig,
  datetime: TimestampConfig,
};

/** The settings of a formula field: the formula, which is checked as it is written, and a format. */
export function FormulaConfig(props: ConfigProps) {
  const { config, onChange, field, table, limits, kindOf } = props;
  const t = useFormulaText();
  const [helping, setHelping] = useState(false);
  const editor = useRef<EditorHandle>(null);
  const outcome = useId();
  const formula = config.formula ?? "";
  const check = useFormulaCheck(table.id, field?.id, formula);
  const { answer } = check;
  const fresh = check.formula === formula;
  const problems = useMemo(() => stillThere(answer?.problems ?? [], check.formula, formula), [answer, check, formula]);
  const wrong = useMemo(() => problems.map((problem) => placeOf(formula, problem)), [formula, problems]);
  const readable = useMemo(() => readableFields(table.fields, field), [field, table.fields]);
  const type = (answer?.type ?? config.resultType ?? "").replace("list of ", "");
  const Format = formats[type];
  return (
    <>
      <div className="relative">
        <Row label={t.label}>
          {(at) => (
            <FormulaEditor
              ref={editor}
              at={{
                ...at,
                "aria-invalid": problems.length > 0 || undefined,
                "aria-describedby": outcome,
              }}
              formula={formula}
              fields={readable}
              wrong={wrong}
              maxLength={limits.formula?.maxLength}
              kindOf={kindOf}
              onChange={(next) => onChange({ formula: next })}
            />
          )}
        </Row>
        <Button
          size="sm"
          look="quiet"
          className="absolute -top-1.5 right-0"
          aria-expanded={helping}
          icon={<BookOpen size={14} aria-hidden />}
          onClick={() => setHelping(!helping)}
        >
          {helping ? t.hideFunctions : t.functions}
        </Button>
      </div>
      {/* As high as most outcomes are, so that the form stays where it is. */}
      <div className={join("-mt-2 flex flex-col gap-2", !helping && "min-h-46")}>
        <Outcome
          id={outcome}
          formula={formula}
          check={check}
          problems={problems}
          onSelect={(place) => editor.current?.select(place.start, place.end)}
          onApply={(edit) => editor.current?.apply(edit)}
        />
        {!helping && formula.trim() !== "" && (
          <Preview table={table} type="formula" config={config} checked={answer} fresh={fresh} kindOf={kindOf} />
        )}
      </div>
      {helping && <HelpLink page="reference/formulas">{t.help}</HelpLink>}
      {helping && (
        <Reference
          onInsert={(one) => {
            const start = editor.current?.caret() ?? formula.length;
            const text = `${one.name}()`;
            const inside = one.signature.endsWith("()") ? 0 : 1;
            editor.current?.apply({ start, end: start, text, caret: start + text.length - inside });
          }}
        />
      )}
      {type === "number" && <NumbersConfig {...props} usual={t.formats.number ?? ""} />}
      {Format && <Format {...props} />}
    </>
  );
}
