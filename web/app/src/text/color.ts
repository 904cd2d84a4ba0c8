import { useLocale } from "../locale/locale.ts";
import { color } from "./en/color.ts";
import { translated } from "./translation.ts";

/** The texts of the colours of records, which come with their panel. */
const colorTextOf = translated("color", color);

export const useColorText = () => colorTextOf(useLocale());
