import { useLocale } from "../locale/locale.ts";
import { replace } from "./en/replace.ts";
import { translated } from "./translation.ts";

/** The texts of finding and replacing, with which they are loaded. */
const replaceTextOf = translated("replace", replace);

export const useReplaceText = () => replaceTextOf(useLocale());
