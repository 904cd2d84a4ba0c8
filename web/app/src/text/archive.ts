import { useLocale } from "../locale/locale.ts";
import { archive } from "./en/archive.ts";
import { translated } from "./translation.ts";

/** The texts of base archives and of copies. They are loaded with their dialogs. */
const archiveTextOf = translated("archive", archive);

export const useArchiveText = () => archiveTextOf(useLocale());
