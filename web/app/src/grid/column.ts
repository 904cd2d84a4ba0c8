import type { Field } from "../api/type.ts";
import { type Context, numbersIn, type Parsed } from "../field/context.ts";
import { columnOrder, dateOrder, isOpenDate } from "../field/date.ts";
import { kindOf } from "../field/kind/index.ts";
import { columnStyle, commaStyle, pointStyle, readNumber } from "../field/number.ts";
import { parse } from "../field/value.ts";
import { textOf } from "../text/index.ts";

/**
 * How the texts of a pasted column are read for a field: numbers and dates as the whole column is
 * written and, where it does not show that, as the field or the person writes them. What a column
 * that contradicts itself leaves open is refused.
 */
export function columnReader(cells: string[], field: Field, context: Context): (cell: string) => Parsed {
  if (field.type === "date" || field.type === "datetime") return dates(cells, field, context);
  if (kindOf(field.type).numeric && field.type !== "duration") return numbers(cells, field, context);
  return (cell) => parse(cell, field, context);
}

function dates(cells: string[], field: Field, context: Context): (cell: string) => Parsed {
  const found = columnOrder(cells);
  if (found.kind === "conflict") {
    const { openDate } = textOf(context.locale).field.invalid;
    return (cell) =>
      isOpenDate(cell) ? { error: openDate(cell.trim(), found.day, found.month) } : parse(cell, field, context);
  }
  const own = dateOrder(field.config?.dateFormat, context.locale);
  const dated = { ...context, dates: found.kind === "certain" ? found.order : own };
  return (cell) => parse(cell, field, dated);
}

/** A number's text without the currency's symbol or the percent sign. */
const bare = (cell: string) =>
  cell
    .trim()
    .replace(/^([-+\u2212]?)\s*\p{Sc}\s*/u, "$1")
    .replace(/\s*[\p{Sc}%]$/u, "");

function numbers(cells: string[], field: Field, context: Context): (cell: string) => Parsed {
  const found = columnStyle(cells, bare);
  const usual = numbersIn(context);
  if (found.kind === "certain") {
    // The person's own grouping of digits is kept if the decimal sign is theirs.
    const styled = found.style.decimal === usual.decimal ? context : { ...context, numbers: found.style };
    return (cell) => parse(cell, field, styled);
  }
  if (found.kind !== "conflict") return (cell) => parse(cell, field, context);
  const { openNumber } = textOf(context.locale).field.invalid;
  return (cell) => {
    const [point, comma] = [pointStyle, commaStyle].map((style) => readNumber(bare(cell), style).value);
    if (point !== undefined && comma !== undefined && point !== comma)
      return { error: openNumber(cell.trim(), found.point, found.comma) };
    return parse(cell, field, { ...context, numbers: point === undefined ? commaStyle : pointStyle });
  };
}
