import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { testService } from "./fixture.ts";

test("the generated API types match the OpenAPI document of the service", () => {
  const run = spawnSync("node", [resolve("../schema/generate.mjs"), "--check", testService().baseUrl], {
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
});
