import { CalendarPlus } from "lucide-react";
import { timestamp } from "../base/time.tsx";
import { configPanel } from "../config/index.ts";
import type { FieldKind } from "../kind.ts";

export const created_time: FieldKind = {
  ...timestamp,
  name: { en: "Created time", de: "Erstellt am", fr: "Date de création" },
  group: "automatic",
  icon: CalendarPlus,
  Config: configPanel("TimestampConfig"),
};
