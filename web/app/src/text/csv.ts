import { useLocale } from "../locale/locale.ts";
import { csv } from "./en/csv.ts";
import { translated } from "./translation.ts";

/**
 * The texts of importing and exporting. They are apart from the others because they are loaded with
 * those dialogs.
 */
export const csvTextOf = translated("csv", csv);

export const useCsvText = () => csvTextOf(useLocale());
