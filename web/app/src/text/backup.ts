import { type Locale, useLocale } from "../locale/locale.ts";
import { backup } from "./en/backup.ts";

const catalogues = { en: backup };

type BackupText = typeof backup;

const backupTextOf = (locale: Locale): BackupText => catalogues[locale.language];

export const useBackupText = (): BackupText => backupTextOf(useLocale());
