// What cmd/rowhouse/e2e asks of every client library. A line of the standard input names a step and its arguments;
// lines of the standard output say how far it is, and at last what came of it, which the test judges.

import { createInterface } from "node:readline";
import { Client, NoResponse, Problem, earliest, hasCode, type schema } from "@rowhouse/client";

type Arguments = { url: string; token: string; base: string; table: string; limit: number; cursor: string; of: number };
type Progress = (count: number) => void;
type Fields = { Name: string };

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const steps: { [name: string]: (client: Client, given: Arguments, progress: Progress) => Promise<unknown> } = {
  async list(client, { table, limit }) {
    const names: string[] = [];
    const query = { sorts: [{ fieldId: "Name", dir: "asc" }], fields: ["Name" as const], ...(limit && { limit }) };
    for await (const record of client.table<Fields>(table).records(query)) names.push(record.fields.Name);
    return { names };
  },

  async problem(client, { table }) {
    try {
      await client.table(table).create([{ Nmae: "Aase" }]);
    } catch (error) {
      if (!hasCode(error, "busy", "invalid")) throw error;
      return { code: error.code, status: error.status, paths: error.errors.map(({ path }) => path) };
    }
    return {};
  },

  async proxy(client) {
    const error: unknown = await client.me().catch((reason: unknown) => reason);
    return error instanceof Problem ? { code: error.code, status: error.status, message: error.message } : {};
  },

  async version(client, { table }) {
    const ships = client.table<Fields>(table);
    const { records } = await ships.create([{ Name: "Versioned" }]);
    const [{ id, version } = { id: "", version: 0 }] = records;
    await ships.update(id, { Name: "First" }, { version });
    try {
      await ships.update(id, { Name: "Second" }, { version });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { code: error.code, before: version, now: error.current?.["version"], id };
    }
    return {};
  },

  async condition(client) {
    const update = client.table("tbl_1").update("rec_1", {}, { version: 7 });
    const error: unknown = await update.catch((reason: unknown) => reason);
    return { lost: error instanceof NoResponse };
  },

  async repeat(client) {
    const { records, changeSet } = await client.table<Fields>("tbl_1").create([{ Name: "Aase" }]);
    return { id: records[0]?.id, changeSet };
  },

  async changeSet(client, { table }) {
    const ships = client.with({ changeSet: "spring" }).table<Fields>(table);
    const first = await ships.create([{ Name: "In spring" }]);
    const second = await ships.create([{ Name: "In spring too" }]);
    const third = await client.table<Fields>(table).create([{ Name: "In summer" }]);
    return { sets: [first.changeSet, second.changeSet, third.changeSet] };
  },

  async job(client, { table }) {
    const body = { format: "csv" };
    const { id } = await client.send<schema.Job>("POST", `/tables/${table}/exports`, { body });
    const job = await client.waitForJob(id);
    return { state: job.state, url: job.file?.url };
  },

  async watch(client, { base, table, cursor, of }, progress) {
    const names: unknown[] = [];
    for await (const change of client.watch(base, { cursor, tables: [table], kinds: ["created"] })) {
      names.push(change.after?.["Name"]);
      progress(names.length);
      if (names.length === of) break;
    }
    return { names };
  },

  async kills(client, { base, table, of }, progress) {
    const size = 100;
    const patient = client.with({ attempts: 30 });
    let next = 0;
    let done = 0;
    const worker = async () => {
      for (let batch = next++; batch < of / size; batch = next++) {
        const records = Array.from({ length: size }, (_, i) => ({ Name: `Ship ${batch * size + i}` }));
        await patient.table<Fields>(table).create(records, { upsertOn: ["Name"] });
        progress((done += size));
      }
    };
    const seen = new Set<string>();
    let changes = 0;
    const watcher = async () => {
      for await (const change of patient.watch(base, { cursor: earliest, tables: [table], kinds: ["created", "updated"] })) {
        changes++;
        seen.add(`${change.kind} ${change.record}`);
        if (seen.size === of) break;
      }
    };
    await Promise.all([watcher(), worker(), worker(), worker(), worker()]);
    return { changes, seen: seen.size };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { step, ...given } = JSON.parse(line) as Arguments & { step: string };
  try {
    const run = steps[step];
    if (!run) throw new Error(`there is no step ${step}`);
    const client = new Client(given.url, { token: given.token });
    say({ result: await run(client, given, (progress) => say({ progress })) });
  } catch (error) {
    say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
