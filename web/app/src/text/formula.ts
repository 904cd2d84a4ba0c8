import { useLocale } from "../locale/locale.ts";
import { formula } from "./en/formula.ts";
import { translated } from "./translation.ts";

/** The texts of the forms of computed fields, with which they are loaded. */
const formulaTextOf = translated("formula", formula);

export const useFormulaText = () => formulaTextOf(useLocale());
