import type { LucideIcon } from "lucide-react";
import * as chosen from "./symbolset.ts";

/** "BarChart3" as lucide writes it in addresses: "bar-chart-3". */
const lucideName = (name: string) =>
  name
    .replace(/(\d)([A-Z])/g, "$1-$2")
    .replace(/([a-z])([A-Z\d])/g, "$1-$2")
    .toLowerCase();

/**
 * The symbols that can be chosen as an icon, by their lucide names. Others, which the service
 * takes, show as a letter.
 */
export const symbols: Record<string, LucideIcon | undefined> = Object.fromEntries(
  Object.entries(chosen).map(([name, icon]) => [lucideName(name), icon]),
);
