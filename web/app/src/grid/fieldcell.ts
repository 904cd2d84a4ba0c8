import type { CustomCell } from "@glideapps/glide-data-grid";
import type { Field, Row } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import type { Palette } from "./theme.ts";

export type CellData = {
  field: Field;
  value: unknown;
  row: Row;
  context: Context;
  palette: Palette;
  wrap: boolean;
  /** The cell also has what opens its record. */
  expands?: boolean;
};

/** A cell of the grid, with the field and the row that it shows. */
export type FieldCell = CustomCell<CellData>;
