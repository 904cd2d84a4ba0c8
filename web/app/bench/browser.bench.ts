import { afterAll, beforeAll } from "vitest";
import { newContext, openBrowser, signIn } from "../e2e/browser.ts";
import { testService } from "../e2e/fixture.ts";
import { file } from "./file.ts";
import { grid } from "./grid.ts";
import { memory } from "./memory.ts";
import { figure, write } from "./report.ts";
import { load } from "./table.ts";
import type { Target } from "./target.ts";

const rows = Number(process.env.ROWS ?? 100_000);

const at = {} as Target;

beforeAll(async () => {
  const service = testService();
  const loaded = await load(service, rows);
  at.path = `/base/${loaded.baseId}/${loaded.tableId}`;
  at.tableId = loaded.tableId;
  figure("rows in the table", rows);
  figure("loading them over REST, s", loaded.seconds);
  at.browser = await openBrowser();
  const { context } = await newContext(at.browser, service);
  at.page = await signIn(context, service.email, service.password);
});

afterAll(async () => {
  await at.browser?.close();
  await write();
});

grid(at, rows);
memory(at, rows);
file(at);
