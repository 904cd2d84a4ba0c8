import { UserRoundPlus } from "lucide-react";
import { person } from "../base/person.tsx";
import type { FieldKind } from "../kind.ts";

export const created_by: FieldKind = {
  ...person,
  name: { en: "Created by", de: "Erstellt von", fr: "Créé par" },
  group: "automatic",
  icon: UserRoundPlus,
};
