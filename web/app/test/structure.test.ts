import { expect, test } from "vitest";
import { check, checkSizes, cyclesIn, order, problemsOf, sizeProblems } from "../dev/structure.ts";

test("the application follows its structure", async () => {
  expect(await check("src")).toEqual([]);
});

const folders = ["test", "e2e", "dev", "bench", "shim", "public"];

test.each(folders)("the files and lines of %s are short enough", async (folder) => {
  expect(await checkSizes(folder)).toEqual([]);
});

test("an import of a higher module is refused, whatever its form", () => {
  const upward = [
    'import { GridView } from "../grid/recordgrid.tsx";',
    'import type { ViewState } from "../view/state.ts";',
    'const load = () => import("../base/base.tsx");',
    'export { x } from "../shell/shell.tsx";',
    'import { router } from "../router.tsx";',
  ];
  for (const line of upward) expect(problemsOf("record/x.ts", line), line).toHaveLength(1);
  const allowed = ['import "./y.ts";', 'import { key } from "../api/key.ts";', 'import { useState } from "react";'];
  expect(problemsOf("record/x.ts", allowed.join("\n"))).toEqual([]);
  expect(problemsOf("router.tsx", upward.join("\n").replaceAll("../", "./"))).toEqual([]);
});

test("a cycle of files is refused, also one with a dynamic import", () => {
  const imports = { "a.ts": ["b.ts"], "b.ts": ["c.ts", "d.ts"], "c.ts": ["b.ts"], "d.ts": [] };
  expect(cyclesIn(new Map(Object.entries(imports)))).toEqual(["a cycle: b.ts > c.ts > b.ts"]);
});

test("a module that is not in the order is refused", () => {
  expect(problemsOf("util/x.ts", "export {};")).toHaveLength(1);
  expect(new Set(order).size).toBe(order.length);
});

test("a long file and a long line are refused, by columns and not by bytes", () => {
  expect(problemsOf("ui/x.ts", "\n".repeat(450))).toHaveLength(1);
  expect(problemsOf("ui/x.ts", "x".repeat(121))).toHaveLength(1);
  expect(problemsOf("ui/x.ts", "é".repeat(120))).toEqual([]);
  expect(sizeProblems("e2e/x.ts", `${"x".repeat(121)}\n`.repeat(450))).toHaveLength(451);
});
