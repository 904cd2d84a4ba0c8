import { preloadable } from "../../ui/preloadable.tsx";
import type { ConfigProps } from "../kind.ts";

// One import for all, because each costs the first page some bytes.
const panels = () => import("./panel.tsx");
type Panel = keyof Awaited<ReturnType<typeof panels>>;

/** The settings of a kind of field, in the form of a field. They are loaded when that is opened. */
export const configPanel = (name: Panel) => preloadable<ConfigProps>(async () => (await panels())[name], null);

// The settings of computed fields need an editor and more, which are loaded when one of them is
// chosen.
const computedPanels = () => import("../formula/panel.ts");
type ComputedPanel = keyof Awaited<ReturnType<typeof computedPanels>>;

export const computedPanel = (name: ComputedPanel) =>
  preloadable<ConfigProps>(async () => (await computedPanels())[name]);
