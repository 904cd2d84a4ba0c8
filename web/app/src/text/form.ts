import { type Language, useLocale } from "../locale/locale.ts";
import { form } from "./en/form.ts";

export type FormText = typeof form;

/** The texts of the editor of a form, with which they are loaded. */
const catalogues: Record<Language, FormText> = { en: form };

export function useFormText(): FormText {
  return catalogues[useLocale().language];
}
