import type { FieldConfig, FieldType } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { columnOrder, parseDate } from "../field/date.ts";
import { columnStyle, commaStyle, pointStyle, readNumber, styleOf } from "../field/number.ts";

/** The field that a pasted column asks for. */
export type Proposal = { name: string; type: FieldType; config?: FieldConfig };

const most = 12; // options that are proposed for a column
const repeated = 2; // cells for each option, at least

const isEmail = (cell: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell);
const isUrl = (cell: string) => /^https?:\/\/\S+$/i.test(cell);
const isPhone = (cell: string) => /^\+\d[\d\s().-]{6,}$/.test(cell);
const isBox = (cell: string) => /^(true|false|yes|no|☑|☐|✓|✔)$/i.test(cell);

const symbolOf = (cell: string) => /^[-+\u2212]?\s*(\p{Sc})|(\p{Sc})$/u.exec(cell)?.slice(1).find(Boolean);

const amount = (cell: string) => cell.replace(/\p{Sc}/gu, "").trim();
const share = (cell: string) => cell.replace(/\s*%$/, "");

/** Reports whether all cells are numbers in the style that the column shows, or the person's. */
function areNumbers(cells: readonly string[], locale: string, bare: (cell: string) => string): boolean {
  const found = columnStyle(cells, bare);
  if (found.kind === "conflict") return false;
  const usual = styleOf(locale);
  const style = found.kind === "certain" ? found.style : usual.decimal === "," ? commaStyle : pointStyle;
  return cells.every((cell) => readNumber(bare(cell), style).value !== undefined);
}

/** Numbers that begin with a zero, such as postcodes, would lose it. */
const isCode = (cell: string) => /^0\d/.test(cell);

/** Finds the type of field that all values of a column fit, from the strictest on. */
export function proposeType(all: readonly string[], context: Context): Omit<Proposal, "name"> {
  const cells = all.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const { tag } = context.locale;
  const every = (fits: (cell: string) => boolean) => cells.length > 0 && cells.every(fits);
  if (every(isBox)) return { type: "checkbox" };
  const symbol = symbolOf(cells[0] ?? "");
  if (symbol && every((cell) => symbolOf(cell) === symbol) && areNumbers(cells, tag, amount))
    return { type: "currency", config: { symbol } };
  if (every((cell) => cell.endsWith("%")) && areNumbers(cells, tag, share)) return { type: "percent" };
  if (cells.length > 0 && !cells.some(isCode) && areNumbers(cells, tag, (cell) => cell)) return { type: "number" };
  const order = columnOrder(cells);
  if (order.kind !== "conflict") {
    const dayFirst = order.kind === "certain" ? order.order : undefined;
    const isDay = (cell: string) => !/\d:\d/.test(cell) && parseDate(cell, undefined, context.locale, dayFirst);
    if (every((cell) => isDay(cell) !== undefined && isDay(cell) !== false)) return { type: "date" };
  }
  if (every(isEmail)) return { type: "email" };
  if (every(isUrl)) return { type: "url" };
  if (every(isPhone)) return { type: "phone" };
  if (cells.some((cell) => cell.includes("\n") || cell.length > 200)) return { type: "long_text" };
  const names = [...new Set(cells)];
  const short = names.every((name) => name.length <= 40);
  if (short && names.length <= most && cells.length >= repeated * names.length && names.length > 1)
    return { type: "single_select", config: { options: names.map((name) => ({ name })) } };
  return { type: "text" };
}

/** The fields that pasted columns ask for, with names that no other has. */
export function propose(
  columns: readonly (readonly string[])[],
  taken: readonly string[],
  nameOf: (number: number) => string,
  context: Context,
): Proposal[] {
  const names = new Set(taken);
  let number = taken.length;
  return columns.map((cells) => {
    do number++;
    while (names.has(nameOf(number)));
    const name = nameOf(number);
    names.add(name);
    return { name, ...proposeType(cells, context) };
  });
}
