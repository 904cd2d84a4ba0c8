import { useLocale } from "../locale/locale.ts";
import { job } from "./en/job.ts";
import { translated } from "./translation.ts";

/** The texts of jobs. They are apart from the others because they are loaded with bases. */
const jobTextOf = translated("job", job);

export const useJobText = () => jobTextOf(useLocale());
