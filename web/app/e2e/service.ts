import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What `rowhouse dev` writes down about itself. */
export type Service = {
  baseUrl: string;
  databaseUrl: string;
  email: string;
  password: string;
  orgId: string;
  apiKey: string;
};

const patience = 120_000; // milliseconds; the first start makes a database cluster

/**
 * Starts the real binary with a PostgreSQL, a Redis and demonstration data of its own, on a free
 * port. With ROWHOUSE_DEV set to the folder of a service that runs already, that one is used.
 */
export async function startService(): Promise<{ service: Service; stop: () => Promise<void> }> {
  const running = process.env.ROWHOUSE_DEV;
  if (running) return { service: await read(running), stop: () => Promise.resolve() };
  const binary = resolve(process.env.ROWHOUSE_BINARY ?? "../../bin/rowhouse");
  const dir = await mkdtemp(join(tmpdir(), "rowhouse-e2e-"));
  let said = "";
  const child = spawn(binary, ["dev", "--addr", "127.0.0.1:0", "--dir", dir], { stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-8000)));
  const stop = async () => {
    await end(child);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    return { service: await ready(dir, child), stop };
  } catch (error) {
    await stop();
    throw new Error(`the service did not start: ${said}`, { cause: error });
  }
}

async function read(dir: string): Promise<Service> {
  return JSON.parse(await readFile(join(dir, "dev.json"), "utf8")) as Service;
}

async function ready(dir: string, child: ChildProcess): Promise<Service> {
  const until = Date.now() + patience;
  while (Date.now() < until && child.exitCode === null) {
    try {
      const service = await read(dir);
      if ((await fetch(`${service.baseUrl}/readyz`)).ok) return service;
    } catch {
      // Not there yet.
    }
    await new Promise((go) => setTimeout(go, 200));
  }
  throw new Error(child.exitCode === null ? "it took too long" : `it ended with ${child.exitCode}`);
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null) return;
  const gone = new Promise((go) => child.once("exit", go));
  child.kill("SIGINT");
  const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await gone;
  clearTimeout(late);
}
