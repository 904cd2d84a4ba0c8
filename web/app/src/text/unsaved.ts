import { type Language, type Locale, useLocale } from "../locale/locale.ts";
import { unsaved } from "./en/unsaved.ts";

/** The texts of the list of changes that are not saved, with which they are loaded. */
const catalogues: Record<Language, typeof unsaved> = { en: unsaved };

function unsavedTextOf(locale: Locale): typeof unsaved {
  return catalogues[locale.language];
}

export function useUnsavedText(): typeof unsaved {
  return unsavedTextOf(useLocale());
}
