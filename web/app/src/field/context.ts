import type { ValueContext } from "../access/base.ts";
import { type NumberStyle, styleOf } from "./number.ts";

/** What formatting and parsing need to know beyond the field. */
export type Context = ValueContext;

/** A value that was read, or the reason why it cannot be read. */
export type Parsed = { value: unknown; error?: undefined } | { value?: undefined; error: string };

/** How numbers are written in a context. */
export function numbersIn(context: Context): NumberStyle {
  return context.numbers ?? styleOf(context.locale.tag);
}
