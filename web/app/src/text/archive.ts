import { type Language, useLocale } from "../locale/locale.ts";
import { archive } from "./en/archive.ts";

/** The texts of base archives and of copies. They are loaded with their dialogs. */
const catalogues: Record<Language, typeof archive> = { en: archive };

export function useArchiveText(): typeof archive {
  return catalogues[useLocale().language];
}
