import { currentLocale, type Language, type Locale, useLocale } from "../locale/locale.ts";
import { en } from "./en/index.ts";

/** Every text of the application. A translation is a value of this type. */
export type Catalogue = typeof en;

const catalogues: Record<Language, Catalogue> = { en };

/** The texts of a locale. */
export function textOf(locale: Locale): Catalogue {
  return catalogues[locale.language];
}

/** The texts of the locale that the application is shown in. */
export function useText(): Catalogue {
  return textOf(useLocale());
}

/**
 * The texts of the current locale, for code outside of components: requests, and edits in the
 * background.
 */
export function currentText(): Catalogue {
  return textOf(currentLocale());
}
