import type { ValueContext } from "../access/base.ts";
import type { Field } from "../api/type.ts";
import { type NumberStyle, styleOf } from "./number.ts";

/** What formatting and parsing need to know beyond the field. */
export type Context = ValueContext;

/** The time zone whose clock shows the times of a field: its own, or the base's. */
export const zoneOf = ({ config }: Pick<Field, "config">, { timeZone }: Context) => config?.timeZone || timeZone;

/** A value that was read, or the reason why it cannot be read. */
export type Parsed = { value: unknown; error?: undefined } | { value?: undefined; error: string };

/** How numbers are written in a context. */
export function numbersIn(context: Context): NumberStyle {
  return context.numbers ?? styleOf(context.locale.tag);
}
