import { type Language, useLocale } from "../locale/locale.ts";
import { sql } from "./en/sql.ts";

export type SqlText = typeof sql;

/** The texts of the page of SQL, with which they are loaded. */
const catalogues: Record<Language, SqlText> = { en: sql };

export function useSqlText(): SqlText {
  return catalogues[useLocale().language];
}
