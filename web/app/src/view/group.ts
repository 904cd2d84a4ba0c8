import type { ChartGroup, Field, Sort, Table, ViewConfig } from "../api/type.ts";
import { factsOf } from "../field/facts.ts";
import { hasLists } from "../field/result.ts";

export const maxGroupings = 3;

/** Reports whether rows can be grouped by a field: each is in one group. */
export const canGroup = (field: Field) => factsOf(field.type).groupable && !hasLists(field);

/** Reports whether the options of a field can color the records of a view. */
export const colorsRecords = (field: Field) => field.type === "single_select";

/** The fields that a view groups by, those that can. */
export function groupFields(fields: readonly Field[], { groupBy }: ViewConfig): Field[] {
  const found = (groupBy ?? []).map((id) => fields.find((field) => field.id === id && canGroup(field)));
  return found.filter((field) => field !== undefined).slice(0, maxGroupings);
}

/** The order of rows in groups: by their groups, which a sort by the same field may reverse, and by the other sorts. */
export function groupSorts(fields: readonly Field[], sorts: readonly Sort[]): Sort[] {
  const grouped = fields.map(({ id, name }): Sort => {
    const own = sorts.find((sort) => sort.fieldId === id || sort.fieldId === name);
    return { fieldId: id, dir: own?.dir ?? "asc" };
  });
  const others = sorts.filter((sort) => !fields.some(({ id, name }) => sort.fieldId === id || sort.fieldId === name));
  return [...grouped, ...others];
}

/** What a new chart groups by: the first field that has options, or else any. */
export function firstGroup({ fields }: Table): ChartGroup | undefined {
  const able = fields.filter((field) => canGroup(field) && !field.isPrimary);
  const found = able.find(colorsRecords) ?? able[0];
  if (!found) return undefined;
  return factsOf(found.type).operators.gt === "time"
    ? { fieldId: found.id, span: "month" }
    : { fieldId: found.id };
}
