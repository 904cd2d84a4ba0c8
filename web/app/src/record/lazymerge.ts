import { preloadable } from "../ui/preloadable.tsx";
import type { MergeDialogProps } from "./merge.tsx";

/** The question which of several records is kept. */
export const MergeDialog = preloadable<MergeDialogProps>(async () => (await import("./merge.tsx")).MergeDialog, null);
