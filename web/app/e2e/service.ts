import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startAirtable } from "./airtable.ts";

/** The part of dev.json, which `rowhouse dev` writes, that the tests read. */
export type Service = {
  baseUrl: string;
  databaseUrl: string;
  email: string;
  password: string;
  orgId: string;
  apiKey: string;
};

const startTimeout = 120_000; // milliseconds; the first start creates a database cluster
const stopTimeout = 20_000;

type Running = { service: Service; stop: () => Promise<void> };

/**
 * Starts the service of a worker. If ROWHOUSE_DEV is the folder of a running service, that one is
 * used.
 */
export async function startService(): Promise<Running> {
  const running = process.env.ROWHOUSE_DEV;
  if (running) return { service: await read(running), stop: () => Promise.resolve() };
  return startOwnService();
}

/**
 * Starts the real binary with its own PostgreSQL, Redis and demonstration data, on a free port.
 * `restart` ends it and starts it there again.
 */
export async function startOwnService(): Promise<Running & { restart: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "rowhouse-e2e-"));
  const airtable = await startAirtable();
  let child = run(dir, "127.0.0.1:0", airtable);
  const stop = async () => {
    await end(child.process);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const service = await ready(dir, child.process);
    const restart = async () => {
      await end(child.process);
      child = run(dir, new URL(service.baseUrl).host, airtable);
      await ready(dir, child.process);
    };
    return { service, stop, restart };
  } catch (error) {
    await stop();
    throw new Error(`the service did not start: ${child.output()}`, { cause: error });
  }
}

function run(dir: string, address: string, airtable: string) {
  const binary = resolve(process.env.ROWHOUSE_BINARY ?? "../../bin/rowhouse");
  let output = "";
  const child = spawn(binary, ["dev", "--addr", address, "--dir", dir], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, AIRTABLE_URL: airtable },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-8000)));
  return { process: child, output: () => output };
}

async function read(dir: string): Promise<Service> {
  return JSON.parse(await readFile(join(dir, "dev.json"), "utf8")) as Service;
}

async function ready(dir: string, child: ChildProcess): Promise<Service> {
  const deadline = Date.now() + startTimeout;
  while (Date.now() < deadline && child.exitCode === null) {
    try {
      const service = await read(dir);
      if ((await fetch(`${service.baseUrl}/readyz`)).ok) return service;
    } catch {
      // It is not ready yet.
    }
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(child.exitCode === null ? "it took too long" : `it exited with ${child.exitCode}`);
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null) return;
  const exited = new Promise((done) => child.once("exit", done));
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeout);
  await exited;
  clearTimeout(timer);
}
