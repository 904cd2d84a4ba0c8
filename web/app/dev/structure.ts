import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";

/**
 * Which module of the application may import which, and how large the files and lines of src and of
 * all other folders may be. `npm run structure` checks it.
 */

/**
 * The modules of src, lowest first. A module imports only from itself and from those before it,
 * types included.
 */
export const order = [
  "route", // the pages, by their addresses
  "locale", // how numbers and dates are written
  "text", // every text of the application
  "api", // the operations of the service, and what was read of them
  "ui", // parts that know nothing of bases
  "access", // the open base, and what its visitor may do in it
  "comment", // comments on records, and the inbox
  "field", // kinds of field and their values
  "record", // records: rows, edits, undo, forms, links
  "change", // changes that were made: undo, reverts, trash
  "job", // imports and exports that go on without the page
  "filter", // conditions and orders
  "webhook", // webhooks and their deliveries
  "permission", // who may do what in a base, and with its tables and fields
  "grid", // the grid, one reader of records
  "csv", // import and export
  "sql", // SQL over a base
  "chart", // charts of records
  "view", // views, their toolbar and their query
  "dashboard", // pages of views beside each other
  "base", // the page of a base
  "home", // the first page
  "account", // settings of a person
  "org", // settings of an organization
  "shell", // the frame around every page
  "agent", // the page that agents' clients show beside an answer
];

const mostLines = 450;
const mostColumns = 120;
const generated = ["api/schema.ts", "field/catalogue.ts", "field/config/catalogue.ts", "field/formula/catalogue.ts"];
const unordered = ["docs", "style"]; // the page of the API reference, and style sheets

const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"']+)["']/g;

/** Returns where a file or one of its lines is too long. */
export function sizeProblems(path: string, content: string): string[] {
  const problems: string[] = [];
  const lines = content.split("\n");
  if (lines.length > mostLines) problems.push(`${path}: ${lines.length} lines, at most ${mostLines} are allowed`);
  lines.forEach((line, index) => {
    const columns = [...line].length;
    if (columns > mostColumns)
      problems.push(`${path}:${index + 1}: ${columns} columns, at most ${mostColumns} are allowed`);
  });
  return problems;
}

/** Returns the problems of one file of src, by its path there. */
export function problemsOf(path: string, content: string): string[] {
  if (generated.includes(path)) return [];
  const problems = sizeProblems(path, content);
  const module = path.includes("/") ? path.split("/")[0] : undefined;
  if (module === undefined || unordered.includes(module)) return problems; // the entry points import every module
  if (!order.includes(module)) problems.push(`${path}: module ${module} is not in the order of dev/structure.ts`);
  for (const [, target = ""] of content.matchAll(specifier)) {
    const imported = posix.join(dirname(path), target).split("/")[0] ?? "";
    if (!order.includes(imported)) problems.push(`${path}: imports ${target}, which is in no module below it`);
    else if (order.indexOf(imported) > order.indexOf(module))
      problems.push(`${path}: imports ${target}, and ${imported} stands above ${module}`);
  }
  return problems;
}

/**
 * Returns the cycles of files, by the static and dynamic imports of each. The linter does not
 * follow import().
 */
export function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: string[]) => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push(`a cycle: ${[...trail.slice(start), file].join(" > ")}`);
    if (start >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

const read = async (folder: string, pattern: RegExp) => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => pattern.test(name)).toSorted();
  return { names, files: await Promise.all(names.map((name) => readFile(join(folder, name), "utf8"))) };
};

/** Returns where the files of a folder are too long. */
export async function checkSizes(folder: string): Promise<string[]> {
  const { names, files } = await read(folder, /\.(tsx?|m?js)$/);
  return names.flatMap((name, index) => sizeProblems(join(folder, name), files[index] ?? ""));
}

/** Returns the problems of src. */
export async function check(folder: string): Promise<string[]> {
  const { names, files } = await read(folder, /\.tsx?$/);
  const imports = new Map(
    names.map((name, index) => {
      const targets = [...(files[index] ?? "").matchAll(specifier)].map(([, target = ""]) => target);
      return [name, targets.map((target) => posix.join(dirname(name), target))];
    }),
  );
  return [...names.flatMap((name, index) => problemsOf(name, files[index] ?? "")), ...cyclesIn(imports)];
}
