import { Percent } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { cardOf, cellFor, numeric, parseNumber } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import { type Context, numbersIn } from "../context.ts";
import { writeNumber } from "../format.ts";
import type { FieldKind } from "../kind.ts";

const format = (value: unknown, field: Field, context: Context) =>
  typeof value === "number"
    ? writeNumber(value, field.config, numbersIn(context), { after: "%" })
    : `${String(value)}%`;

export const percent: FieldKind = {
  ...numeric,
  name: { en: "Percent", de: "Prozent", fr: "Pourcentage" },
  icon: Percent,
  width: 110,
  format,
  parse: (entry, _field, context) => parseNumber(entry, context, entry.replace(/\s*%(?=\)?$)/, "")),
  example: () => 25,
  cell: cellFor(format),
  Card: cardOf(format),
  Config: configPanel("NumberConfig"),
};
