import { preloadable } from "../ui/preloadable.tsx";
import type { LeftCellsProps } from "./left.tsx";

/** The list of what a paste could not take. */
export const LeftCells = preloadable<LeftCellsProps>(async () => (await import("./left.tsx")).LeftCells, null);
