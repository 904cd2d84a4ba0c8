import { Tally5 } from "lucide-react";
import { computed } from "../base/computed.tsx";
import { computedPanel } from "../config/index.ts";
import type { FieldKind, KindOf } from "../kind.ts";

export const count = (kindOf: KindOf): FieldKind => ({
  ...computed(kindOf),
  name: { en: "Count", de: "Anzahl", fr: "Nombre de liens" },
  icon: Tally5,
  Config: computedPanel("CountConfig"),
  wide: true,
  complete: (config) => Boolean(config.linkFieldId),
});
