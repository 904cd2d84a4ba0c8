import { preloadable } from "../ui/preloadable.tsx";
import type { ConditionsProps, SortsProps } from "../field/kind.ts";
import type { FilterPanelProps } from "./panel.tsx";

// The panels of the toolbar, which are loaded when the first of them is opened.

export const FilterPanel = preloadable<FilterPanelProps>(async () => (await import("./panel.tsx")).FilterPanel);
export const SortPanel = preloadable<SortsProps>(async () => (await import("./sort.tsx")).SortPanel);

/** Conditions in the form of a field. */
export const Conditions = preloadable<ConditionsProps>(async () => (await import("./conditions.tsx")).Conditions);
