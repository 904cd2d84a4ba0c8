import { useLocale } from "../locale/locale.ts";
import { change } from "./en/change.ts";
import { translated } from "./translation.ts";

export type ChangeText = typeof change;

/** The texts of changes that were made, which come with what shows them. */
export const changeTextOf = translated("change", change);

export const useChangeText = () => changeTextOf(useLocale());
