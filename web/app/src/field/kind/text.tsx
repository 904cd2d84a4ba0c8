import { Type } from "lucide-react";
import { textual } from "../base/text.tsx";
import type { FieldKind } from "../kind.ts";

export const text: FieldKind = {
  ...textual,
  name: { en: "Single line text", de: "Einzeiliger Text", fr: "Texte court" },
  icon: Type,
  example: () => "Example",
};
