import { useLocale } from "../locale/locale.ts";
import { airtable } from "./en/airtable.ts";
import { translated } from "./translation.ts";

/** The texts of imports from Airtable. They are loaded with their dialog and their reports. */
const airtableTextOf = translated("airtable", airtable);

export const useAirtableText = () => airtableTextOf(useLocale());
