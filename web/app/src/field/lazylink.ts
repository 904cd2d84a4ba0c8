import { preloadable } from "../ui/preloadable.tsx";

// Dialogs that choose linked records, which are loaded when they are first opened.

export const LinkDialog = preloadable(async () => (await import("./linkdialog.tsx")).LinkDialog, null);
export const PickRecords = preloadable(async () => (await import("./linkdialog.tsx")).PickRecords, null);
