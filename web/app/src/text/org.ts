import { useLocale } from "../locale/locale.ts";
import { org } from "./en/org.ts";
import { translated } from "./translation.ts";

/** The texts of an organization's settings, which come with them. */
const orgTextOf = translated("org", org);

export const useOrgText = () => orgTextOf(useLocale());
