import { Binary } from "lucide-react";
import { cardOf, numeric } from "../base/number.tsx";
import type { FieldKind } from "../kind.ts";

const format = (value: unknown) => String(value);

export const auto_number: FieldKind = {
  ...numeric,
  name: { en: "Auto number", de: "Laufende Nummer", fr: "Numéro automatique" },
  group: "automatic",
  icon: Binary,
  width: 90,
  format,
  Card: cardOf(format),
  csv: {},
};
