import { preloadable } from "../ui/preloadable.tsx";
import type { ConflictDialogProps } from "./conflictdialog.tsx";

/** The question about a conflict, which few people ever see. */
export const ConflictDialog = preloadable<ConflictDialogProps>(
  async () => (await import("./conflictdialog.tsx")).ConflictDialog,
  null,
);
