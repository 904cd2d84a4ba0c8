import { Hash } from "lucide-react";
import { cellFor, numeric, parseNumber, withoutSymbol } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import type { FieldKind } from "../kind.ts";

export const number: FieldKind = {
  ...numeric,
  name: { en: "Number", de: "Zahl", fr: "Nombre" },
  icon: Hash,
  cell: cellFor(numeric.format),
  parse: (entry, _field, context) => parseNumber(entry, context, withoutSymbol(entry, /\p{Sc}/u.exec(entry)?.[0])),
  example: () => 42,
  Config: configPanel("NumberConfig"),
};
