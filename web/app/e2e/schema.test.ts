import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, inject, test } from "vitest";

test("the types that the application calls the API with are of the document that the service gives out", () => {
  const run = spawnSync("node", [resolve("../schema/generate.mjs"), "--check", inject("service").baseUrl], {
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
});
