import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { testService } from "./fixture.ts";

const run = promisify(execFile);

/**
 * Changes rows of the service's database, such as times that a test cannot wait for. The owner of
 * the tables suspends their row-level security within the transaction.
 */
export async function changeRows(tables: string[], statement: string): Promise<void> {
  const statements = [
    "set role rowhouse_owner",
    "begin",
    ...tables.map((table) => `alter table rowhouse.${table} no force row level security`),
    statement,
    ...tables.map((table) => `alter table rowhouse.${table} force row level security`),
    "commit",
  ];
  await run("psql", [
    testService().databaseUrl,
    "--no-psqlrc",
    "--quiet",
    "--set=ON_ERROR_STOP=1",
    ...statements.map((one) => `--command=${one}`),
  ]);
}
