import { preloadable } from "../ui/preloadable.tsx";
import type { UnsavedDialogProps } from "./unsaved.tsx";

/** The list of what is not saved, which is seldom opened. */
export const UnsavedDialog = preloadable<UnsavedDialogProps>(
  async () => (await import("./unsaved.tsx")).UnsavedDialog,
  null,
);
