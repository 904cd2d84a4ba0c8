import { preloadable } from "../ui/preloadable.tsx";
import type { FieldFormProps } from "./dialog.tsx";

/** The form of a field, which is loaded when it is first opened. */
export const FieldForm = preloadable<FieldFormProps>(async () => (await import("./dialog.tsx")).FieldForm);
