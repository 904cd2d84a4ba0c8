import { type Language, useLocale } from "../locale/locale.ts";
import { replace } from "./en/replace.ts";

export type ReplaceText = typeof replace;

/** The texts of finding and replacing, with which they are loaded. */
const catalogues: Record<Language, ReplaceText> = { en: replace };

export function useReplaceText(): ReplaceText {
  return catalogues[useLocale().language];
}
