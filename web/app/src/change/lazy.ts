import { preloadable } from "../ui/preloadable.tsx";
import type { RevertQuestionProps } from "./revertdialog.tsx";

/** The question about newer changes, which few people ever see. */
export const RevertQuestion = preloadable<RevertQuestionProps>(
  async () => (await import("./revertdialog.tsx")).RevertQuestion,
  null,
);
