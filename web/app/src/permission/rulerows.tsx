import { Plus, Trash2 } from "lucide-react";
import type { RowRule, Table } from "../api/type.ts";
import { leafFor } from "../filter/op.ts";
import { FilterPanel } from "../filter/panel.tsx";
import { isRuleField, personalOf } from "../filter/personal.ts";
import { usePermissionText } from "../text/permission.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Checkbox, Input } from "../ui/form.tsx";
import { AudiencePicker } from "./audiencepicker.tsx";
import type { Subject } from "./subject.ts";

type Props = {
  table: Table;
  rules: readonly RowRule[];
  subjects: readonly Subject[];
  onChange: (rules: RowRule[]) => void;
};

/** A rule to begin with: people read and edit the records that name them, if the table has a field with people. */
function firstRule(table: Table): RowRule {
  const fields = table.fields.filter(isRuleField);
  const owner = fields.find(({ type }) => type === "user") ?? fields.find(({ type }) => type === "created_by");
  const start = owner ?? fields[0];
  if (!start) return { role: "viewer", filter: [] };
  const leaf = leafFor(start);
  const personal = owner && personalOf(owner, "has_any");
  return {
    role: "viewer",
    edit: true,
    filter: [personal ? { fieldId: start.id, op: "has_any", value: personal } : leaf],
  };
}

/** The row rules of a table: who reads and writes only the records that match a filter. */
export function RuleRows({ table, rules, subjects, onChange }: Props) {
  const t = usePermissionText().table.rule;
  const replace = (index: number, next: RowRule | undefined) =>
    onChange(rules.flatMap((rule, at) => (at !== index ? [rule] : next ? [next] : [])));
  return (
    <section aria-label={t.title} className="mt-6">
      <h3 className="font-[560]">{t.title}</h3>
      <p className="mt-0.5 mb-2 text-muted">{t.body}</p>
      <ul className="flex flex-col gap-3">
        {rules.map((rule, index) => {
          const { filter, edit = false, delete: remove = false, memo = "", ...who } = rule;
          const name = t.nth(index + 1);
          return (
            // Rules have no identity of their own but their place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} aria-label={name} className="rounded-lg border border-line">
              <div className="flex items-start gap-3 border-b border-line px-4 py-3">
                <div className="min-w-0 flex-1">
                  <p className="mb-1 text-[13px] text-muted">{t.who}</p>
                  <AudiencePicker
                    what={name}
                    who={who}
                    subjects={subjects}
                    onChange={(next) => replace(index, { ...next, filter, edit, delete: remove, memo })}
                  />
                </div>
                <IconButton size="sm" label={t.remove(name)} onClick={() => replace(index, undefined)}>
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              </div>
              <p className="px-4 pt-3 text-[13px] text-muted">{t.records}</p>
              <FilterPanel
                table={table}
                filters={filter}
                lasting
                rule
                onChange={(next) => replace(index, { ...rule, filter: next })}
              />
              <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line px-4 py-3">
                <Checkbox
                  label={t.edit}
                  checked={edit}
                  onChange={(next) => replace(index, { ...rule, edit: next })}
                />
                <Checkbox
                  label={t.delete}
                  checked={remove}
                  onChange={(next) => replace(index, { ...rule, delete: next })}
                />
                <Input
                  aria-label={`${name}: ${t.memo}`}
                  placeholder={t.memo}
                  className="min-w-48 flex-1"
                  maxLength={500}
                  value={memo}
                  onChange={(event) => replace(index, { ...rule, memo: event.target.value })}
                />
              </div>
            </li>
          );
        })}
      </ul>
      <Button
        size="sm"
        look="quiet"
        className="mt-2"
        icon={<Plus size={15} aria-hidden />}
        onClick={() => onChange([...rules, firstRule(table)])}
      >
        {t.add}
      </Button>
    </section>
  );
}
