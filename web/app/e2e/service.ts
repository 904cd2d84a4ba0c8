import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

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

/**
 * Starts the real binary with its own PostgreSQL, Redis and demonstration data, on a free port. If
 * ROWHOUSE_DEV is the folder of a running service, that one is used.
 */
export async function startService(): Promise<{ service: Service; stop: () => Promise<void> }> {
  const running = process.env.ROWHOUSE_DEV;
  if (running) return { service: await read(running), stop: () => Promise.resolve() };
  const binary = resolve(process.env.ROWHOUSE_BINARY ?? "../../bin/rowhouse");
  const dir = await mkdtemp(join(tmpdir(), "rowhouse-e2e-"));
  let output = "";
  const child = spawn(binary, ["dev", "--addr", "127.0.0.1:0", "--dir", dir], { stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-8000)));
  const stop = async () => {
    await end(child);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    return { service: await ready(dir, child), stop };
  } catch (error) {
    await stop();
    throw new Error(`the service did not start: ${output}`, { cause: error });
  }
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
