import { type Locale, useLocale } from "../locale/locale.ts";
import { grid } from "./en/grid.ts";

const catalogues = { en: grid };

export type GridText = typeof grid;

/** The texts of the grid, which come with it. */
export function gridTextOf(locale: Locale): GridText {
  return catalogues[locale.language];
}

export function useGridText(): GridText {
  return gridTextOf(useLocale());
}
