import { type Locale, useLocale } from "../locale/locale.ts";
import { account } from "./en/account.ts";

const catalogues = { en: account };

export type AccountText = typeof account;

/** The texts of a person's settings, which come with them. */
const accountTextOf = (locale: Locale): AccountText => catalogues[locale.language];

export const useAccountText = (): AccountText => accountTextOf(useLocale());
