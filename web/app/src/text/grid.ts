import { useLocale } from "../locale/locale.ts";
import { grid } from "./en/grid.ts";
import { translated } from "./translation.ts";

export type GridText = typeof grid;

/** The texts of the grid, which come with it. */
export const gridTextOf = translated("grid", grid);

export const useGridText = () => gridTextOf(useLocale());
