import type { Filter, Table } from "../api/type.ts";

/** The names of a table's views whose filters name a field. */
export function viewsFilteringBy(table: Table, fieldId: string): string[] {
  const mentions = (list: Filter[]): boolean =>
    list.some((filter) => {
      if ("and" in filter) return mentions(filter.and);
      return "or" in filter ? mentions(filter.or) : filter.fieldId === fieldId;
    });
  const filtering = table.views.filter((view) => view.type !== "form" && mentions(view.config.filters ?? []));
  return filtering.map((view) => view.name);
}
