import type { Field } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";

/** The width in pixels of the row heads. */
export const markerWidth = 52;

/** The width in pixels of the column of a field. */
export const columnWidth = (field: Field, widths: Record<string, number>): number =>
  widths[field.id] ?? field.width ?? kindOf(field.type).width;
