// Writes the blocks of the README that are TypeScript to readme.ts, which is checked, compiled and run.

import { readFile, writeFile } from "node:fs/promises";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
const program = `// From ../README.md.\n\n${blocks.join("\n")}`;
const target = new URL("readme.ts", import.meta.url);
if ((await readFile(target, "utf8").catch(() => "")) !== program) await writeFile(target, program);
