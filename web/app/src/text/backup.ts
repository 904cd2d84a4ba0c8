import { useLocale } from "../locale/locale.ts";
import { backup } from "./en/backup.ts";
import { translated } from "./translation.ts";

const backupTextOf = translated("backup", backup);

export const useBackupText = () => backupTextOf(useLocale());
