import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { slowTimeout } from "./fieldsample.tsx";

/**
 * Words that comments and names do not use, because each has stood for something that has a plain name:
 * "held" for paused or cached, "told" for received, "anew" for again.
 */
const words = new Set(
  (
    "bell bells tell tells told hear hears heard manner manners held noun nouns anew " +
    "mend mends mended beside besides wall walls door doors"
  ).split(" "),
);

/** Names that are not ours to choose: of the browser, and of icons, which are stored. */
const foreign: Record<string, string[]> = {
  "src/record/keep.ts": ["held"], // LockManager.query
  "test/record/keep.test.ts": ["held"],
};
const generated = ["src/api/schema.ts"]; // its comments are the descriptions of operations

type Node = { type?: string; name?: unknown; source?: { value?: unknown } };

/** Collects identifiers. A name that a package exports is the package's. */
function namesIn(node: unknown, names: Set<string>, imported: Set<string>) {
  if (Array.isArray(node)) for (const one of node) namesIn(one, names, imported);
  if (Array.isArray(node) || typeof node !== "object" || node === null) return;
  const { type, name, source } = node as Node;
  const external = type === "ImportDeclaration" && !String(source?.value).startsWith(".");
  if (typeof name === "string") names.add(name);
  for (const child of Object.values(node)) namesIn(child, external ? imported : names, imported);
}

const humps = /([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g;
const wordsOf = (name: string) => name.replace(humps, "$1$2 ").split(/[^A-Za-z]+/);
const unquoted = (comment: string) => comment.replace(/"[^"\n]*"|“[^”]*”|`[^`\n]*`/g, "");
const found = (list: string[]) => list.filter((word) => words.has(word.toLowerCase()));

const anywhere = new RegExp([...words].join("|"), "i");

/** The uses of the words in a file. */
function usesIn(path: string, text: string): string[] {
  if (!anywhere.test(path + text)) return []; // spares most files the parser
  const { program, comments } = parseSync(path, text);
  const names = new Set<string>();
  const imported = new Set(foreign[path]);
  namesIn(program.body, names, imported);
  const own = [...names].filter((name) => !imported.has(name) && found(wordsOf(name)).length > 0);
  return [
    ...found(path.split(/[^A-Za-z]+/)).map((word) => `${path}: the file's name has "${word}"`),
    ...own.map((name) => `${path}: the name ${name}`),
    ...comments.flatMap(({ value, start }) =>
      found(unquoted(value).split(/[^A-Za-z]+/)).map(
        (word) => `${path}:${text.slice(0, start).split("\n").length}: "${word}" in a comment`,
      ),
    ),
  ];
}

const folders = ["src", "e2e", "test"];
test.each(folders)("comments and names of %s use plain words", { timeout: slowTimeout }, async (folder) => {
  const paths = await readdir(folder, { recursive: true });
  const sources = paths.map((path) => join(folder, path)).filter((path) => /\.tsx?$/.test(path));
  const files = sources.filter((path) => !generated.includes(path));
  const uses = await Promise.all(files.map(async (path) => usesIn(path, await readFile(path, "utf8"))));
  expect(files.length).toBeGreaterThan(10);
  expect(uses.flat()).toEqual([]);
});

test("a word is found in comments, names and parts of names, and not in texts and packages' names", () => {
  const uses = (text: string) => usesIn("src/x.tsx", text).map((use) => use.slice(use.indexOf(":")));
  expect(uses("// The page is told.\nconst a = 1;")).toEqual([':1: "told" in a comment']);
  expect(uses("const lastTold = { heard: 1 };")).toEqual([": the name lastTold", ": the name heard"]);
  const allowed = 'import { Bell } from "icons"; // "told"\nconst withheld = <b title="beside">told</b>; <Bell />;';
  expect(uses(allowed)).toEqual([]);
  expect(usesIn("src/heard.ts", "")).toHaveLength(1);
});
