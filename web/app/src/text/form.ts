import { useLocale } from "../locale/locale.ts";
import { form } from "./en/form.ts";
import { translated } from "./translation.ts";

/** The texts of the editor of a form, with which they are loaded. */
const formTextOf = translated("form", form);

export const useFormText = () => formTextOf(useLocale());
