import { CircleAlert, LoaderCircle } from "lucide-react";
import { useFormulaText } from "../../text/formula.ts";
import { Button } from "../../ui/button.tsx";
import { join } from "../../ui/class.ts";
import type { FormulaCheck } from "./check.ts";
import type { Edit } from "./completion.ts";
import { type FormulaProblem, placeOf, suggestionFor } from "./problem.ts";

const shown = 4; // mistakes at once

type Props = {
  id: string;
  formula: string;
  check: FormulaCheck;
  problems: FormulaProblem[];
  onSelect: (place: { start: number; end: number }) => void;
  onApply: (edit: Edit) => void;
};

/** What a check of a formula has found: the type of its values, or its mistakes. */
export function Outcome(props: Props) {
  const { id, formula, check, problems } = props;
  const t = useFormulaText();
  const { answer, failure } = check;
  const fresh = check.formula === formula;
  const type = answer?.problems.length === 0 ? answer.type : undefined;
  return (
    <div id={id} role="status" className="text-[13px]">
      {failure && fresh ? (
        <p className="text-danger">{`${t.notChecked}: ${failure.message}`}</p>
      ) : problems.length > 0 ? (
        <Problems {...props} />
      ) : !fresh && type === undefined ? (
        <p className="flex items-center gap-1.5 text-muted">
          <LoaderCircle size={13} className="animate-spin" aria-hidden />
          {t.checking}
        </p>
      ) : (
        type !== undefined && (
          <p className={join("transition-opacity", !fresh && "opacity-60")}>
            <span className="font-[560] text-accent-ink">{t.result(t.types[type] ?? type)}</span>
            {answer?.volatile && <span className="block text-muted">{t.volatile}</span>}
          </p>
        )
      )}
    </div>
  );
}

/** The mistakes, each with the way to its place and, where one is likely, a correction. */
function Problems({ formula, problems, onSelect, onApply }: Props) {
  const t = useFormulaText();
  return (
    <ul aria-label={t.problems(problems.length)} className="flex flex-col gap-1">
      {problems.slice(0, shown).map((problem) => {
        const { line, column, message } = problem;
        const suggestion = suggestionFor(formula, problem);
        return (
          <li key={`${line}:${column}:${message}`} className="flex items-start gap-2 text-danger">
            <CircleAlert size={15} className="mt-1.5 shrink-0" aria-hidden />
            <span className="min-w-0 flex-1 py-1 leading-5 break-words">
              <button
                type="button"
                aria-label={t.goTo(line, column)}
                onClick={() => onSelect(placeOf(formula, problem))}
                className={join(
                  "rounded-sm font-[560] underline decoration-danger/40 underline-offset-2",
                  "hover:decoration-danger",
                )}
              >
                {t.place(line, column)}
              </button>
              {`: ${message}`}
            </span>
            {suggestion && (
              <Button size="sm" onClick={() => onApply(suggestion)}>
                {t.replace(suggestion.name)}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
