import { type Locale, useLocale } from "../locale/locale.ts";
import { org } from "./en/org.ts";

const catalogues = { en: org };

export type OrgText = typeof org;

/** The texts of an organization's settings, which come with them. */
const orgTextOf = (locale: Locale): OrgText => catalogues[locale.language];

export const useOrgText = (): OrgText => orgTextOf(useLocale());
