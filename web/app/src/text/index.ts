import { currentLocale, useLocale } from "../locale/locale.ts";
import { en } from "./en/index.ts";
import { translated } from "./translation.ts";

/** Every text of the application. A translation is a value of this type. */
export type Catalogue = typeof en;

/** The texts of a locale. */
export const textOf = translated("main", en);

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
