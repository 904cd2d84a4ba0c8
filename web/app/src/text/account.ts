import { useLocale } from "../locale/locale.ts";
import { account } from "./en/account.ts";
import { translated } from "./translation.ts";

export type AccountText = typeof account;

/** The texts of a person's settings, which come with them. */
const accountTextOf = translated("account", account);

export const useAccountText = () => accountTextOf(useLocale());
