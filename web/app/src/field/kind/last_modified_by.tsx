import { UserRoundPen } from "lucide-react";
import { person } from "../base/person.tsx";
import type { FieldKind } from "../kind.ts";

export const last_modified_by: FieldKind = {
  ...person,
  name: { en: "Last modified by", de: "Zuletzt geändert von", fr: "Modifié par" },
  group: "automatic",
  icon: UserRoundPen,
};
