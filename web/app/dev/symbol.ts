import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const list = new URL("../src/ui/symbolset.txt", import.meta.url);
const whole = "virtual:symbols";
const part = "virtual:symbols/";

const names = async () => (await readFile(list, "utf8")).split(/\s+/).filter(Boolean).toSorted();

type IconModule = { __iconData?: { node: unknown } };

/** Returns the drawing of an icon, which may be another name of another icon. */
async function drawingOf(name: string): Promise<unknown> {
  const { __iconData: icon } = (await import(`lucide-react/icons/${name}`)) as IconModule;
  if (icon) return icon.node;
  const path = fileURLToPath(import.meta.resolve(`lucide-react/icons/${name}`));
  const other = /from '\.\/([\w-]+)\.mjs'/.exec(await readFile(path, "utf8"))?.[1];
  if (!other) throw new Error(`lucide has no drawing for ${name}`);
  return drawingOf(other);
}

/**
 * Gives the application the drawings of the symbols in src/ui/symbolset.txt, by their first letters:
 * a page that shows a few loads no others. They are copies, as a drawing that other code shows too would
 * make that code part of them. `virtual:symbols` has a function for each letter, which loads its symbols.
 */
export function splitSymbols(): Plugin {
  return {
    name: "rowhouse-split-symbols",
    resolveId: (id) => (id.startsWith(whole) ? `\0${id}` : null),
    async load(id) {
      if (id === `\0${whole}`) {
        const letters = [...new Set((await names()).map((name) => name.charAt(0)))];
        const loads = letters.map((letter) => `${letter}: () => import("${part}${letter}")`);
        return `export const symbolsBy = { ${loads.join(", ")} };`;
      }
      if (!id.startsWith(`\0${part}`)) return null;
      const letter = id.slice(part.length + 1);
      const nodes: Record<string, unknown> = {};
      for (const name of (await names()).filter((one) => one.startsWith(letter))) nodes[name] = await drawingOf(name);
      return `export const symbols = ${JSON.stringify(nodes)};`;
    },
  };
}
