import type { Field } from "../../api/type.ts";
import { textOf } from "../../text/index.ts";
import { CardText } from "../control/card.tsx";
import { TypedControl } from "../control/index.ts";
import { type Context, numbersIn, type Parsed } from "../context.ts";
import { numberEditor } from "../editor/index.ts";
import { isRed, numberExample, writeNumber } from "../format.ts";
import { type FieldKind, isEmpty } from "../kind.ts";
import { readNumber } from "../number.ts";

/**
 * Reads a number in the style of the context; `bare` is the entry without what the field writes
 * around it.
 */
export function parseNumber(entry: string, context: Context, bare = entry): Parsed {
  const style = numbersIn(context);
  // Accounts write what is below zero in parentheses.
  const inside = /^\s*\(([^()+-]*)\)\s*$/.exec(entry)?.[1];
  const read = readNumber(inside === undefined ? bare : `-${bare.replace(/[()]/g, "").trim()}`, style);
  if (read.fault === undefined) return { value: read.value };
  const { invalid } = textOf(context.locale).field;
  if (read.fault === "precision") return { error: invalid.precision(entry) };
  return { error: /\d/.test(entry) ? invalid.numberAs(entry, numberExample(style)) : invalid.number(entry) };
}

/** A number's text without the sign of a currency in front of it or behind it. */
export function withoutSymbol(entry: string, symbol: string | undefined): string {
  if (!symbol) return entry;
  const inside = /^\(([^()]*)\)$/.exec(entry.trim())?.[1];
  if (inside !== undefined) return `(${withoutSymbol(inside.trim(), symbol)})`;
  const sign = /^[-+\u2212]/.exec(entry)?.[0] ?? "";
  const rest = entry.slice(sign.length).trimStart();
  if (rest.startsWith(symbol)) return sign + rest.slice(symbol.length).trimStart();
  return rest.endsWith(symbol) ? sign + rest.slice(0, -symbol.length).trimEnd() : entry;
}

/** A number in full, with the decimal sign of the context. */
function wholeNumber(value: unknown, _field: Field, context: Context): string {
  return numbersIn(context).decimal === "," ? String(value).replace(".", ",") : String(value);
}

function format(value: unknown, field: Field, context: Context): string {
  if (typeof value !== "number") return String(value);
  return writeNumber(value, field.config, numbersIn(context));
}

/** A card for numbers that a kind writes in its own way. */
export const cardOf = (write: FieldKind["format"]): NonNullable<FieldKind["Card"]> =>
  function NumberCard({ value, field, context }) {
    const text = <CardText>{write(value, field, context)}</CardText>;
    return isRed(value, field.config) ? <span className="text-danger">{text}</span> : text;
  };

/** Draws a number as its kind writes it. */
const drawnBy =
  (write: FieldKind["format"]): NonNullable<FieldKind["cell"]["draw"]> =>
  (pen, value, field, context) => {
    if (!isEmpty(value)) pen.text(write(value, field, context), { danger: isRed(value, field.config) });
  };

/** The cell of numbers that a kind writes in its own way. */
export const cellFor = (write: FieldKind["format"]) =>
  ({ align: "right", Editor: numberEditor, draw: drawnBy(write) }) satisfies FieldKind["cell"];

/** What kinds whose values are numbers share. */
export const numeric = {
  group: "number",
  width: 120,
  family: "number",
  numeric: true,
  order: "number",
  format,
  entry: wholeNumber,
  copy: wholeNumber,
  parse: (entry, _field, context) => parseNumber(entry, context),
  cell: { align: "right", Editor: numberEditor },
  Control: (props) => <TypedControl {...props} inputMode="decimal" />,
  Card: cardOf(format),
  csv: { offered: true },
} satisfies Partial<FieldKind>;
