import { useLocale } from "../locale/locale.ts";
import { dashboard } from "./en/dashboard.ts";
import { translated } from "./translation.ts";

/** The texts of dashboards, which come with them. */
const dashboardTextOf = translated("dashboard", dashboard);

export const useDashboardText = () => dashboardTextOf(useLocale());
