import { useLocale } from "../locale/locale.ts";
import { color } from "./en/color.ts";

const catalogues = { en: color };

/** The texts of the colours of records, which come with their panel. */
export const useColorText = () => catalogues[useLocale().language];
