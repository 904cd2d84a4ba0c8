import { Plus, Trash2 } from "lucide-react";
import type { Field, Sort } from "../api/type.ts";
import type { SortsProps } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { likeOf } from "../field/result.ts";
import { type Catalogue, useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/form.tsx";
import { canSort } from "./op.ts";

function directions(field: Field | undefined, words: Catalogue["filter"]): [string, string] {
  const order = field && kindOf(likeOf(field).type).order;
  if (order === "number") return [words.ascNumber, words.descNumber];
  return order === "text" ? [words.ascText, words.descText] : [words.asc, words.desc];
}

export function SortPanel({ table, sorts, none, onChange }: SortsProps) {
  const t = useText().filter;
  const fields = table.fields.filter(canSort);
  const free = fields.filter((field) => !sorts.some((sort) => sort.fieldId === field.id));
  const replace = (index: number, next: Sort) => onChange(sorts.map((one, at) => (at === index ? next : one)));
  return (
    <div className="w-[min(460px,calc(100vw-24px))] p-3">
      {sorts.length === 0 && <p className="px-1 pb-2 text-muted">{none ?? t.noSort}</p>}
      <ul className="flex flex-col gap-2">
        {sorts.map((sort, index) => {
          const field = table.fields.find((one) => one.id === sort.fieldId || one.name === sort.fieldId);
          const remove = (
            <IconButton label={t.removeSort} onClick={() => onChange(sorts.filter((_, at) => at !== index))}>
              <Trash2 size={15} aria-hidden />
            </IconButton>
          );
          if (table.orders?.includes(sort.fieldId)) {
            return (
              <li key={sort.fieldId} className="flex items-center gap-1.5 pl-1">
                <p className="flex-1">
                  {t.manual} {index === 0 && <span className="text-muted">{t.manualHint}</span>}
                </p>
                {remove}
              </li>
            );
          }
          const [asc, desc] = directions(field, t);
          return (
            <li key={sort.fieldId} className="flex gap-1.5">
              <Select
                aria-label={t.field}
                value={field?.id ?? ""}
                onChange={(event) => replace(index, { ...sort, fieldId: event.target.value })}
              >
                {fields
                  .filter((one) => one.id === field?.id || free.includes(one))
                  .map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.name}
                    </option>
                  ))}
              </Select>
              <Select
                aria-label={t.direction}
                className="w-40!"
                value={sort.dir}
                onChange={(event) => replace(index, { ...sort, dir: event.target.value as Sort["dir"] })}
              >
                <option value="asc">{asc}</option>
                <option value="desc">{desc}</option>
              </Select>
              {remove}
            </li>
          );
        })}
      </ul>
      <Button
        size="sm"
        look="quiet"
        className="mt-2"
        disabled={free.length === 0}
        icon={<Plus size={15} aria-hidden />}
        onClick={() => free[0] && onChange([...sorts, { fieldId: free[0].id, dir: "asc" }])}
      >
        {t.addSort}
      </Button>
    </div>
  );
}
