import { DollarSign } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { cardOf, numeric, parseNumber, withoutSymbol } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import { type Context, numbersIn } from "../context.ts";
import { formatNumber } from "../format.ts";
import type { FieldKind } from "../kind.ts";

const symbolOf = (field: Field) => field.config?.symbol ?? "$";

function format(value: unknown, field: Field, context: Context): string {
  if (typeof value !== "number") return String(value);
  const amount = formatNumber(Math.abs(value), field.config?.precision ?? 2, numbersIn(context), true);
  return `${value < 0 ? "-" : ""}${symbolOf(field)}${amount}`;
}

export const currency: FieldKind = {
  ...numeric,
  name: { en: "Currency" },
  icon: DollarSign,
  width: 130,
  format,
  parse: (entry, field, context) => parseNumber(entry, context, withoutSymbol(entry, symbolOf(field))),
  example: () => 9.99,
  Card: cardOf(format),
  Config: configPanel("CurrencyConfig"),
};
