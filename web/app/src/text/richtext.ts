import { useLocale } from "../locale/locale.ts";
import { richtext } from "./en/richtext.ts";
import { translated } from "./translation.ts";

/** The texts of the editor of formatted text, which come with it. */
const richTextOf = translated("richtext", richtext);

export const useRichText = () => richTextOf(useLocale());
