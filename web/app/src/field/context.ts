import type { ValueContext } from "../access/base.ts";
import type { Field } from "../api/type.ts";
import { type NumberStyle, styleOf } from "./number.ts";

/** What formatting and parsing need to know beyond the field. */
export type Context = ValueContext;

type Configured = Pick<Field, "config">;

/** The time zone whose clock shows the times of a field: its own, that of the person, or the base's. */
export const zoneOf = (field: Configured, context: Context) =>
  field.config?.timeZone || context.locale.zone || context.timeZone;

/** The time zone in which a time has a day, for filters, groups and formulas: the field's, or the base's. */
export const dayZoneOf = ({ config }: Configured, { timeZone }: Context) => config?.timeZone || timeZone;

/** A value that was read, or the reason why it cannot be read. */
export type Parsed = { value: unknown; error?: undefined } | { value?: undefined; error: string };

/** How numbers are written in a context. */
export function numbersIn(context: Context): NumberStyle {
  return context.numbers ?? styleOf(context.locale.tag);
}
