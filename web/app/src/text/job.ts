import { type Language, useLocale } from "../locale/locale.ts";
import { job } from "./en/job.ts";

/** The texts of jobs. They are apart from the others because they are loaded with bases. */
const catalogues: Record<Language, typeof job> = { en: job };

export function useJobText(): typeof job {
  return catalogues[useLocale().language];
}
