import { TextCard } from "../control/card.tsx";
import { TypedControl } from "../control/index.ts";
import { lineEditor } from "../editor/index.ts";
import { type FieldKind, isEmpty, type Pen } from "../kind.ts";

/** Draws an address, which can be followed elsewhere. */
export const drawAddress = (pen: Pen, value: unknown) => pen.text(isEmpty(value) ? "" : String(value), { link: true });

/** What kinds whose values are read and written as text share. */
export const textual = {
  group: "text",
  width: 220,
  format: (value) => String(value),
  parse: (entry) => ({ value: entry }),
  usualOp: "contains",
  order: "text",
  cell: { Editor: lineEditor },
  Control: TypedControl,
  Card: TextCard,
  csv: { offered: true },
} satisfies Partial<FieldKind>;
