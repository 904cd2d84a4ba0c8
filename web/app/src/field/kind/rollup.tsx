import { Combine } from "lucide-react";
import { computed } from "../base/computed.tsx";
import { computedPanel } from "../config/index.ts";
import type { FieldKind, KindOf } from "../kind.ts";

export const rollup = (kindOf: KindOf): FieldKind => ({
  ...computed(kindOf),
  name: { en: "Rollup", de: "Zusammenfassung", fr: "Agrégation" },
  icon: Combine,
  Config: computedPanel("RollupConfig"),
  wide: true,
  complete: (config) => Boolean(config.linkFieldId && config.fieldId && (config.function || config.formula?.trim())),
});
