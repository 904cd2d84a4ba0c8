import { type Language, type Locale, useLocale } from "../locale/locale.ts";
import { formula } from "./en/formula.ts";

export type FormulaText = typeof formula;

/** The texts of the forms of computed fields, with which they are loaded. */
const catalogues: Record<Language, FormulaText> = { en: formula };

function formulaTextOf(locale: Locale): FormulaText {
  return catalogues[locale.language];
}

export function useFormulaText(): FormulaText {
  return formulaTextOf(useLocale());
}
