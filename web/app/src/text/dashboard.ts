import { type Language, useLocale } from "../locale/locale.ts";
import { dashboard } from "./en/dashboard.ts";

/** The texts of dashboards, which come with them. */
const catalogues: Record<Language, typeof dashboard> = { en: dashboard };

export function useDashboardText(): typeof dashboard {
  return catalogues[useLocale().language];
}
