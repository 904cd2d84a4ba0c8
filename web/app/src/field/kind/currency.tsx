import { DollarSign } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { cardOf, cellFor, numeric, parseNumber, withoutSymbol } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import { type Context, numbersIn } from "../context.ts";
import { writeNumber } from "../format.ts";
import type { FieldKind } from "../kind.ts";

const symbolOf = (field: Field) => field.config?.symbol ?? "$";

function format(value: unknown, field: Field, context: Context): string {
  if (typeof value !== "number") return String(value);
  const config = { ...field.config, precision: field.config?.precision ?? 2 };
  return writeNumber(value, config, numbersIn(context), { before: symbolOf(field), grouped: true });
}

export const currency: FieldKind = {
  ...numeric,
  name: { en: "Currency", de: "Währung", fr: "Devise" },
  icon: DollarSign,
  width: 130,
  format,
  parse: (entry, field, context) => parseNumber(entry, context, withoutSymbol(entry, symbolOf(field))),
  example: () => 9.99,
  cell: cellFor(format),
  Card: cardOf(format),
  Config: configPanel("CurrencyConfig"),
};
