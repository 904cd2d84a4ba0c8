import { type Language, useLocale } from "../locale/locale.ts";
import { permission } from "./en/permission.ts";

/** The texts of what gives and takes permissions, with which they are loaded. */
const catalogues: Record<Language, typeof permission> = { en: permission };

export type PermissionText = typeof permission;

export function usePermissionText(): PermissionText {
  return catalogues[useLocale().language];
}
