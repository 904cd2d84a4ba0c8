import { expect, test } from "vitest";
import { check, circlesIn, order, problemsOf } from "../dev/structure.ts";

test("the application keeps to its structure", async () => {
  expect(await check("src")).toEqual([]);
});

test("an import that climbs is refused, whatever its form", () => {
  const climbing = [
    'import { GridView } from "../grid/recordgrid.tsx";',
    'import type { ViewState } from "../view/state.ts";',
    'const load = () => import("../base/base.tsx");',
    'export { x } from "../shell/shell.tsx";',
    'import { router } from "../router.tsx";',
  ];
  for (const line of climbing) expect(problemsOf("record/x.ts", line), line).toHaveLength(1);
  const allowed = ['import "./y.ts";', 'import { key } from "../api/key.ts";', 'import { useState } from "react";'];
  expect(problemsOf("record/x.ts", allowed.join("\n"))).toEqual([]);
  expect(problemsOf("router.tsx", climbing.join("\n").replaceAll("../", "./"))).toEqual([]);
});

test("a circle of files is refused, also one that is closed by loading later", () => {
  const imports = { "a.ts": ["b.ts"], "b.ts": ["c.ts", "d.ts"], "c.ts": ["b.ts"], "d.ts": [] };
  expect(circlesIn(new Map(Object.entries(imports)))).toEqual(["a circle: b.ts > c.ts > b.ts"]);
});

test("a module that has no place in the order is refused", () => {
  expect(problemsOf("util/x.ts", "export {};")).toHaveLength(1);
  expect(new Set(order).size).toBe(order.length);
});

test("a long file and a long line are refused, by columns and not by bytes", () => {
  expect(problemsOf("ui/x.ts", "\n".repeat(450))).toHaveLength(1);
  expect(problemsOf("ui/x.ts", "x".repeat(121))).toHaveLength(1);
  expect(problemsOf("ui/x.ts", "é".repeat(120))).toEqual([]);
});
