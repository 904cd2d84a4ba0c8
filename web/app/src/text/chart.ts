import { useLocale } from "../locale/locale.ts";
import { chart } from "./en/chart.ts";
import { translated } from "./translation.ts";

export type ChartText = typeof chart;

/** The texts of charts, which come with them. */
export const chartTextOf = translated("chart", chart);

export const useChartText = () => chartTextOf(useLocale());
