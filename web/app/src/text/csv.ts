import { type Language, type Locale, useLocale } from "../locale/locale.ts";
import { csv } from "./en/csv.ts";

/**
 * The texts of importing and exporting. They are apart from the others because they are loaded with
 * those dialogs.
 */
const catalogues: Record<Language, typeof csv> = { en: csv };

export function csvTextOf(locale: Locale): typeof csv {
  return catalogues[locale.language];
}

export function useCsvText(): typeof csv {
  return csvTextOf(useLocale());
}
