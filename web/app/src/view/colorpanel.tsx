import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import type { ColorRule, Table, View } from "../api/type.ts";
import { FilterPanel } from "../filter/lazy.ts";
import { canFilter, leafFor } from "../filter/op.ts";
import { useColorText } from "../text/color.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/form.tsx";
import { toneFrom } from "../ui/tone.ts";
import { TonePicker } from "../ui/tonepicker.tsx";
import { draftsOf, freeColor, isComplete, maxColorRules, type RuleDraft, savedRules, settled } from "./colorrules.ts";
import { colorsRecords } from "./group.ts";
import type { ViewState } from "./state.ts";

export type ColorPanelProps = { table: Table; view: View; state: ViewState };

/** What gives the records of a view their colours: rules in their order, and the options of a field. */
export function ColorPanel({ table, view, state }: ColorPanelProps) {
  const t = useColorText();
  const id = useId();
  const [drafts, setDrafts] = useState(() => draftsOf({ ...view, config: state.config }));
  const fields = state.ordered.filter(colorsRecords);
  const chosen = fields.find((field) => field.id === state.config.colorFieldId);
  const first = table.fields.find(canFilter);
  const change = (next: RuleDraft[]) => {
    const now = settled(next, table.fields);
    setDrafts(now);
    const rules = savedRules(now);
    if (JSON.stringify(rules) !== JSON.stringify(savedRules(drafts))) state.set({ colorRules: rules });
  };
  const replace = (index: number, rule: Partial<ColorRule>) =>
    change(
      drafts.map((one, at) =>
        at === index ? { ...one, rule: { ...one.rule, ...rule }, broken: one.broken && !rule.filters } : one,
      ),
    );
  const swap = (index: number, other: number) => {
    const next = [...drafts];
    [next[index], next[other]] = [next[other]!, next[index]!];
    change(next);
  };
  return (
    <div className="flex max-h-[70vh] w-[min(720px,calc(100vw-24px))] flex-col overflow-y-auto p-3">
      {fields.length > 0 && (
        <label className="mb-3 flex items-center gap-2 text-[13px] font-[560]">
          <span className="shrink-0">{t.byField}</span>
          <Select
            className="max-w-60"
            value={chosen?.id ?? ""}
            onChange={(event) => state.set({ colorFieldId: event.target.value || undefined })}
          >
            <option value="">{t.noField}</option>
            {fields.map((field) => (
              <option key={field.id} value={field.id}>
                {field.name}
              </option>
            ))}
          </Select>
        </label>
      )}
      <h3 id={id} className="text-[13px] font-[560]">
        {t.rules}
      </h3>
      <p className="mb-2 text-[13px] text-muted">{chosen ? t.hintWithField : t.hint}</p>
      <ol aria-labelledby={id} className="flex flex-col gap-2">
        {drafts.map(({ key, rule, broken }, index) => {
          const place = index + 1;
          return (
            <li key={key} aria-label={t.rule(place)} className="rounded-lg border border-line">
              <div className="flex items-center gap-2 border-b border-line py-1.5 pr-1.5 pl-2.5">
                <div className="min-w-0 flex-1">
                  <TonePicker
                    compact
                    label={t.colorOf(place)}
                    value={toneFrom(rule.color)}
                    onChange={(color) => replace(index, { color })}
                  />
                </div>
                <IconButton
                  size="sm"
                  label={t.up(place)}
                  disabled={index === 0}
                  onClick={() => swap(index, index - 1)}
                >
                  <ArrowUp size={14} aria-hidden />
                </IconButton>
                <IconButton
                  size="sm"
                  label={t.down(place)}
                  disabled={place === drafts.length}
                  onClick={() => swap(index, place)}
                >
                  <ArrowDown size={14} aria-hidden />
                </IconButton>
                <IconButton
                  size="sm"
                  label={t.remove(place)}
                  onClick={() => change(drafts.filter((_, at) => at !== index))}
                >
                  <Trash2 size={14} aria-hidden />
                </IconButton>
              </div>
              <FilterPanel
                table={table}
                filters={rule.filters}
                none={t.everything}
                className="p-2"
                onChange={(filters) => replace(index, { filters })}
              />
              {(broken || !isComplete(rule, table.fields)) && (
                <p className="px-3 pb-2 text-[12.5px] text-muted">{broken ? t.broken : t.unfinished}</p>
              )}
            </li>
          );
        })}
      </ol>
      <div className={drafts.length > 0 ? "mt-2" : ""}>
        <Button
          size="sm"
          look="quiet"
          disabled={!first || drafts.length === maxColorRules}
          icon={<Plus size={15} aria-hidden />}
          onClick={() =>
            first &&
            change([
              ...drafts,
              { key: crypto.randomUUID(), rule: { filters: [leafFor(first)], color: freeColor(drafts) } },
            ])
          }
        >
          {t.add}
        </Button>
      </div>
    </div>
  );
}
