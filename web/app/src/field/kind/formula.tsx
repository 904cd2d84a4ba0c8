import { Sigma } from "lucide-react";
import { computed } from "../base/computed.tsx";
import { computedPanel } from "../config/index.ts";
import type { FieldKind, KindOf } from "../kind.ts";

export const formula = (kindOf: KindOf): FieldKind => ({
  ...computed(kindOf),
  name: { en: "Formula", de: "Formel", fr: "Formule" },
  icon: Sigma,
  Config: computedPanel("FormulaConfig"),
  wide: true,
  complete: (config) => Boolean(config.formula?.trim()),
});
