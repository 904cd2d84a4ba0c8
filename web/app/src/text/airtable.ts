import { type Language, useLocale } from "../locale/locale.ts";
import { airtable } from "./en/airtable.ts";

/** The texts of imports from Airtable. They are loaded with their dialog and their reports. */
const catalogues: Record<Language, typeof airtable> = { en: airtable };

export function useAirtableText(): typeof airtable {
  return catalogues[useLocale().language];
}
