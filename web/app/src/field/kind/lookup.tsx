import { ScanSearch } from "lucide-react";
import { computed } from "../base/computed.tsx";
import { computedPanel } from "../config/index.ts";
import type { FieldKind, KindOf } from "../kind.ts";

export const lookup = (kindOf: KindOf): FieldKind => ({
  ...computed(kindOf),
  name: { en: "Lookup", de: "Nachschlagen", fr: "Recherche" },
  icon: ScanSearch,
  Config: computedPanel("LookupConfig"),
  complete: (config) => Boolean(config.linkFieldId && config.fieldId),
});
