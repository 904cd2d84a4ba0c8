import { lazy } from "react";

// Dialogs that choose linked records, which are loaded when they are first opened.

export const LinkDialog = lazy(async () => ({ default: (await import("./linkdialog.tsx")).LinkDialog }));
export const PickRecords = lazy(async () => ({ default: (await import("./linkdialog.tsx")).PickRecords }));
