import { preloadable } from "../../ui/preloadable.tsx";

// One import for all, because each costs the first page some bytes.
const parts = () => import("./parts.ts");

// The controls of forms. A form waits for their code before it is shown, so that the focus finds
// them.
export const TypedControl = preloadable(async () => (await parts()).TypedControl, null);
export const CheckboxControl = preloadable(async () => (await parts()).CheckboxControl, null);
export const Chooser = preloadable(async () => (await parts()).Chooser, null);
export const OptionChooser = preloadable(async () => (await parts()).OptionChooser, null);
export const DateControl = preloadable(async () => (await parts()).DateControl, null);
export const TimestampControl = preloadable(async () => (await parts()).TimestampControl, null);
export const StarsControl = preloadable(async () => (await parts()).StarsControl, null);
export const LinkControl = preloadable(async () => (await parts()).LinkControl, null);
export const ComputedControl = preloadable(async () => (await parts()).ComputedControl, null);

/** Formatted text, whose editor is large and rare. */
export const RichTextControl = preloadable(async () => (await import("../richtext/control.tsx")).RichTextControl);

/** Loads the code of all controls except files, which is larger and rarer. */
export async function loadControls(): Promise<void> {
  const typed = [TypedControl, DateControl, TimestampControl, StarsControl];
  const chosen = [CheckboxControl, Chooser, OptionChooser, LinkControl, ComputedControl];
  await Promise.all([...typed, ...chosen].map((one) => one.preload()));
}
