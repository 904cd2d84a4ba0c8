import { useLocale } from "../locale/locale.ts";
import { permission } from "./en/permission.ts";
import { translated } from "./translation.ts";

/** The texts of what gives and takes permissions, with which they are loaded. */
const permissionTextOf = translated("permission", permission);

export const usePermissionText = () => permissionTextOf(useLocale());
