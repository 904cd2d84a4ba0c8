import { useLocale } from "../locale/locale.ts";
import { sql } from "./en/sql.ts";
import { translated } from "./translation.ts";

export type SqlText = typeof sql;

/** The texts of the page of SQL, with which they are loaded. */
const sqlTextOf = translated("sql", sql);

export const useSqlText = () => sqlTextOf(useLocale());
