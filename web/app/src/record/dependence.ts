import type { Table } from "../api/type.ts";
import { linkedTable } from "../field/linked.ts";

/**
 * The tables with values that are computed from records of some tables across links, also by way of
 * each other.
 */
export function tablesReading(tables: readonly Table[], changed: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const reads = (table: Table) =>
    table.fields.some(({ config }) => {
      const link = config?.linkFieldId && table.fields.find((field) => field.id === config.linkFieldId);
      const linked = link ? linkedTable(link) : undefined;
      return linked !== undefined && (changed.has(linked) || found.has(linked));
    });
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const table of tables) if (!found.has(table.id) && reads(table)) found.add(table.id);
  }
  return found;
}
