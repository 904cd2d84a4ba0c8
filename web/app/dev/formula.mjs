// Writes src/field/formula/catalogue.ts, the functions of formulas, from docs/reference/formulas.md, which the
// service's tests hold to its catalogue. With --check, it only reports whether the file is up to date.
//
//	node dev/formula.mjs [--check]

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../../../docs/reference/formulas.md", import.meta.url));
const target = fileURLToPath(new URL("../src/field/formula/catalogue.ts", import.meta.url));
const mark = "<!-- What follows is made of the catalogue of functions";

/** Reads the tables of functions of the page, one for each category. */
function functionsOf(markdown) {
  const functions = [];
  let category = "";
  for (const line of markdown.slice(markdown.indexOf(mark)).split("\n")) {
    if (line.startsWith("## ")) category = line.slice(3);
    const cells = line.match(/^\| (.*) \|$/)?.[1].split(/(?<!\\) \| /);
    const [signature, help, shown] = cells?.map((cell) => cell.replaceAll("\\|", "|")) ?? [];
    const name = signature?.match(/^`([A-Z_]+)\(.*\)`$/)?.[1];
    if (name === undefined) continue;
    const [, example, result] = shown.match(/^`(.*)` → (?:`(.*)`|is empty)$/);
    functions.push({ name, category, signature: signature.slice(1, -1), help, example, result: result ?? "" });
  }
  return functions;
}

const source = `// Written by \`npm run generate\` from docs/reference/formulas.md; not to be edited.

export type FormulaFunction = {
  name: string;
  category: string;
  signature: string;
  help: string;
  example: string;
  /** What the example gives, as text; "" for an empty value. */
  result: string;
};

/** The functions of formulas, by their categories. */
export const functions: readonly FormulaFunction[] = [
${functionsOf(await readFile(page, "utf8"))
  .map((one) => `  ${JSON.stringify(one)},`)
  .join("\n")}
];
`;

if (!process.argv.includes("--check")) await writeFile(target, source);
else if ((await readFile(target, "utf8")) !== source) {
  process.stderr.write("src/field/formula/catalogue.ts does not match its page. Run `node dev/formula.mjs`.\n");
  process.exit(1);
}
