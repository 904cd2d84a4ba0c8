import { useLocale } from "../locale/locale.ts";
import { unsaved } from "./en/unsaved.ts";
import { translated } from "./translation.ts";

/** The texts of the list of changes that are not saved, with which they are loaded. */
const unsavedTextOf = translated("unsaved", unsaved);

export const useUnsavedText = () => unsavedTextOf(useLocale());
