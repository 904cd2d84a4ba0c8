import { CalendarDays, ClipboardList, LayoutGrid, type LucideIcon, SquareKanban, Table2 } from "lucide-react";
import type { ViewType } from "../api/type.ts";

export const viewIcon: Record<ViewType, LucideIcon> = {
  grid: Table2,
  gallery: LayoutGrid,
  kanban: SquareKanban,
  calendar: CalendarDays,
  form: ClipboardList,
};
