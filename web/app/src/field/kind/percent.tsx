import { Percent } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { cardOf, numeric, parseNumber } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import type { Context } from "../context.ts";
import type { FieldKind } from "../kind.ts";

const format = (value: unknown, field: Field, context: Context) => `${numeric.format(value, field, context)}%`;

export const percent: FieldKind = {
  ...numeric,
  name: { en: "Percent" },
  icon: Percent,
  width: 110,
  format,
  parse: (entry, _field, context) => parseNumber(entry, context, entry.replace(/\s*%$/, "")),
  example: () => 25,
  Card: cardOf(format),
  Config: configPanel("PrecisionConfig"),
};
