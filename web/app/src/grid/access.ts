import type { AriaAttributes, AriaRole } from "react";
import type { DataEditorCoreProps } from "@glideapps/glide-data-grid";
import { useEffect, useMemo, useState } from "react";
import type { Field, Sort } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import { whyReadOnly } from "../field/refusal.ts";
import { isWritable } from "../field/value.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import type { GridRows } from "./gridrows.ts";
import { headAt } from "./head.ts";
import type { SelectedCells } from "./sums.ts";

// What assistive technology is given of the grid. The library keeps a table of the rows in view inside of
// the canvas, with the position of each row and column, and moves the focus to its cells. This adds what
// the cells mean.

type Access = AriaAttributes & { role?: AriaRole };

/** The properties of the table inside of the canvas, by column and row (see dev/glide.ts). */
type GridAccess = {
  grid: Access;
  head: (column: number) => Access;
  cell: (column: number, row: number) => Access;
};

type Props = { source: GridRows; fields: readonly Field[]; editable: boolean; name: string };

/** What the library hands to the table. */
export function useAccess({ source, fields, editable, name }: Props): DataEditorCoreProps["experimental"] {
  const t = useGridText().access;
  const text = useText().field;
  return useMemo(() => {
    const describe = (field: Field) => [
      field.config?.required === true ? text.required : undefined,
      isWritable(field) ? undefined : whyReadOnly(field, kindOf(field.type), text).title,
      field.config?.description,
    ];
    const access: GridAccess = {
      grid: { "aria-label": name, "aria-readonly": !editable },
      head: (column) => {
        const field = fields[column];
        if (!field) return {};
        const [first] = (source.query.sorts ?? []) as Sort[];
        const dir = first?.fieldId === field.id ? first.dir : undefined;
        return {
          "aria-sort": dir && (dir === "asc" ? "ascending" : "descending"),
          "aria-description": describe(field).filter(Boolean).join(". ") || undefined,
        };
      },
      cell: (column, row) => {
        const field = fields[column];
        const head = headAt(source, row);
        if (head) return { "aria-expanded": column === 0 ? !head.folded : undefined, "aria-readonly": true };
        // The row for new records, which is behind all others, is named by its first cell.
        if (row >= (source.total ?? 0)) return { "aria-label": column === 0 ? t.newRow : undefined };
        if (!field) return {};
        return {
          role: field.isPrimary ? "rowheader" : undefined,
          "aria-required": (editable && field.config?.required === true) || undefined,
          "aria-readonly": !editable || !isWritable(field),
          "aria-busy": source.at(row) === undefined || undefined,
        };
      },
    };
    return { access } as DataEditorCoreProps["experimental"];
  }, [editable, fields, name, source, t, text]);
}

const patience = 400; // milliseconds after which a selection that grows is said

/** Says how large a range of selected cells is, once it has stopped growing. */
export function useSelectionSaid(cells: SelectedCells | undefined): string {
  const t = useGridText().access;
  const [said, setSaid] = useState("");
  const wanted = cells && cells.columns.length * cells.height > 1 ? t.range(cells.height, cells.columns.length) : "";
  useEffect(() => {
    const timer = setTimeout(() => setSaid(wanted), patience);
    return () => clearTimeout(timer);
  }, [wanted]);
  return said;
}
