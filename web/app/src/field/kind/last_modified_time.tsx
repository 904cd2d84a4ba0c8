import { History } from "lucide-react";
import { timestamp } from "../base/time.tsx";
import { configPanel } from "../config/index.ts";
import type { FieldKind } from "../kind.ts";

export const last_modified_time: FieldKind = {
  ...timestamp,
  name: { en: "Last modified time", de: "Zuletzt geändert am", fr: "Date de modification" },
  group: "automatic",
  icon: History,
  Config: configPanel("TimestampConfig"),
};
