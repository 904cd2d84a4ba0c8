import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";

/**
 * Which module of the application may import which, and how large files and lines may be.
 * `npm run structure` checks it.
 */

/**
 * The modules of src, lowest first. A module imports from itself and from those before it, types
 * included.
 */
export const order = [
  "locale", // how numbers and dates are written
  "text", // every text of the application
  "api", // the operations of the service, and what was read of them
  "ui", // parts that know nothing of bases
  "access", // the open base, and what its visitor may do in it
  "field", // kinds of field and their values
  "record", // records: rows, edits, undo, forms, links
  "filter", // conditions and orders
  "grid", // the grid, one reader of records
  "csv", // import and export
  "view", // views, their toolbar and their query
  "base", // the page of a base
  "home", // the first page
  "account", // settings of a person
  "org", // settings of an organization
  "shell", // the frame around every page
];

const mostLines = 450;
const mostColumns = 120;
const generated = ["api/schema.ts", "field/catalogue.ts", "field/config/catalogue.ts"];
const unordered = ["docs", "style"]; // the page of the API reference, and style sheets

const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"']+)["']/g;

/** What is wrong with one file of src, by its path there. */
export function problemsOf(path: string, content: string): string[] {
  if (generated.includes(path)) return [];
  const problems: string[] = [];
  const lines = content.split("\n");
  if (lines.length > mostLines) problems.push(`${path}: ${lines.length} lines, at most ${mostLines} are allowed`);
  lines.forEach((line, index) => {
    const columns = [...line].length;
    if (columns > mostColumns)
      problems.push(`${path}:${index + 1}: ${columns} columns, at most ${mostColumns} are allowed`);
  });
  const module = path.includes("/") ? path.split("/")[0] : undefined;
  if (module === undefined || unordered.includes(module)) return problems; // what starts the application imports all
  if (!order.includes(module)) problems.push(`${path}: module ${module} has no place in the order of dev/structure.ts`);
  for (const [, target = ""] of content.matchAll(specifier)) {
    const imported = posix.join(dirname(path), target).split("/")[0] ?? "";
    if (!order.includes(imported)) problems.push(`${path}: imports ${target}, which is in no module below it`);
    else if (order.indexOf(imported) > order.indexOf(module))
      problems.push(`${path}: imports ${target}, and ${imported} stands above ${module}`);
  }
  return problems;
}

/**
 * The circles of files, by what each file imports, at once or later. The linter does not follow
 * import().
 */
export function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: string[]) => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push(`a circle: ${[...trail.slice(start), file].join(" > ")}`);
    if (start >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

/** What is wrong with the files of a folder. */
export async function check(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name)).toSorted();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const imports = new Map(
    names.map((name, index) => {
      const targets = [...(files[index] ?? "").matchAll(specifier)].map(([, target = ""]) => target);
      return [name, targets.map((target) => posix.join(dirname(name), target))];
    }),
  );
  return [...names.flatMap((name, index) => problemsOf(name, files[index] ?? "")), ...circlesIn(imports)];
}
