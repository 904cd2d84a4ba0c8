import { type Locale, useLocale } from "../locale/locale.ts";
import { chart } from "./en/chart.ts";

const catalogues = { en: chart };

export type ChartText = typeof chart;

/** The texts of charts, which come with them. */
export function chartTextOf(locale: Locale): ChartText {
  return catalogues[locale.language];
}

export function useChartText(): ChartText {
  return chartTextOf(useLocale());
}
