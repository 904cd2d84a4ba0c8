import { type EditableGridCell, GridCellKind, type Item } from "@glideapps/glide-data-grid";
import type { Field, Row } from "../api/type.ts";
import { isWritable } from "../field/value.ts";
import type { CellData } from "./fieldcell.ts";
import type { GridRows } from "./gridrows.ts";

type CellEdit = { location: Item; value: EditableGridCell };

/** The current row, with the value and the version from when an editor of one of its cells was opened. */
function openedRow({ row, field }: CellData, source: GridRows): Row {
  const now = source.find(row.id) ?? row;
  const name = source.writer.names.of(field.id) ?? field.name;
  return { ...now, version: row.version, fields: { ...now.fields, [name]: row.fields[field.name] } };
}

/**
 * Writes what editors of cells return. An editor returns the cell that it was opened for, and a
 * ticked box the one that was drawn, wherever the rows are now and whatever others have written into
 * them since.
 */
export function writeCells(edits: readonly CellEdit[], source: GridRows, fields: readonly Field[]) {
  for (const { location, value } of edits) {
    const cell = value.kind === GridCellKind.Custom ? (value.data as CellData) : undefined;
    const field = cell?.field ?? fields[location[0]];
    const row = cell ? openedRow(cell, source) : source.at(location[1]);
    if (!row || !field || !isWritable(field)) continue;
    const next = cell ? (cell.value ?? null) : value.kind === GridCellKind.Boolean && value.data === true;
    const before = row.fields[source.writer.names.of(field.id) ?? field.name] ?? null;
    if (JSON.stringify(before) !== JSON.stringify(next)) source.edit([{ row, fields: { [field.id]: next } }]);
  }
}
