import { Plus, Trash2 } from "lucide-react";
import type { Sort, Table } from "../api/type.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/form.tsx";
import { canGroup, groupFields, groupSorts, maxGroupings } from "./group.ts";
import type { ViewState } from "./state.ts";

export type GroupPanelProps = { table: Table; state: ViewState };

/** The fields that a view groups by, and the order of the groups of each. */
export function GroupPanel({ table, state }: GroupPanelProps) {
  const t = useGridText();
  const words = useText().filter;
  const fields = state.ordered.filter(canGroup);
  const chosen = groupFields(table.fields, state.config);
  const free = fields.filter((field) => !chosen.includes(field));
  const order = groupSorts(chosen, state.sorts);
  const group = (ids: string[]) => state.set({ groupBy: ids });
  const ids = chosen.map((field) => field.id);
  const turn = (fieldId: string, dir: Sort["dir"]) =>
    state.set({ sorts: [...state.sorts.filter((sort) => sort.fieldId !== fieldId), { fieldId, dir }] });
  return (
    <div className="w-[min(460px,calc(100vw-24px))] p-3">
      {chosen.length === 0 && <p className="px-1 pb-2 text-muted">{t.noGroups}</p>}
      <ul className="flex flex-col gap-2">
        {chosen.map((field, index) => (
          <li key={field.id} className="flex gap-1.5">
            <Select
              aria-label={words.field}
              value={field.id}
              onChange={(event) => group(ids.with(index, event.target.value))}
            >
              {fields
                .filter((one) => one === field || free.includes(one))
                .map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
            </Select>
            <Select
              aria-label={words.direction}
              className="w-40!"
              value={order[index]?.dir ?? "asc"}
              onChange={(event) => turn(field.id, event.target.value as Sort["dir"])}
            >
              <option value="asc">{words.asc}</option>
              <option value="desc">{words.desc}</option>
            </Select>
            <IconButton label={t.removeGroup} onClick={() => group(ids.filter((id) => id !== field.id))}>
              <Trash2 size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        look="quiet"
        className="mt-2"
        disabled={free.length === 0 || chosen.length === maxGroupings}
        icon={<Plus size={15} aria-hidden />}
        onClick={() => free[0] && group([...ids, (free.find((one) => !one.isPrimary) ?? free[0]).id])}
      >
        {t.addGroup}
      </Button>
    </div>
  );
}
