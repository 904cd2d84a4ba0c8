// Starts Rowhouse. Every version of the TypeScript SDK in package.json, those of the Go SDK below, and mcp-remote
// list and call tools, and the MCP Inspector checks the tools' schemas. `make clients` runs it. It prints a row for
// each client, and exits with 1 if one of them failed.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const goVersions = ["v1.4.1", "v1.7.0", "v1.8.0"];
const modern = "2026-07-28";
const wait = 60_000; // ms, for one client; a Go one is built first

const packages = JSON.parse(readFileSync(join(here, "package.json"), "utf8")).dependencies;
const folder = mkdtempSync(join(tmpdir(), "rowhouse-clients-"));
const run = promisify(execFile);

function bin(name) {
  return join(here, "node_modules/.bin", name);
}

// start runs the service on a free port and returns it with the address and a key of its demonstration data.
async function start() {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => listener.once("listening", done));
  const { port } = listener.address();
  await new Promise((done) => listener.close(done));
  const service = spawn(join(root, "bin/rowhouse"), ["dev", "--addr", `127.0.0.1:${port}`, "--dir", folder]);
  let said = "";
  service.stderr.on("data", (data) => (said += data));
  for (let tries = 0; tries < 600; tries++) {
    await new Promise((done) => setTimeout(done, 100));
    if (service.exitCode !== null) break;
    try {
      const dev = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8"));
      if ((await fetch(dev.baseUrl + "/api/v1/me", { headers: { "x-api-key": dev.apiKey } })).ok) {
        return { service, url: dev.baseUrl + "/mcp", key: dev.apiKey };
      }
    } catch {
      // not yet
    }
  }
  service.kill();
  throw new Error("Rowhouse did not start:\n" + said);
}

// remote lists and calls tools through mcp-remote, as a program does that knows standard input and output alone.
async function remote(url, key) {
  const args = [bin("mcp-remote"), url, "--header", "x-api-key:" + key, "--allow-http", "--transport", "http-only"];
  const bridge = spawn(process.execPath, args, { env: { ...process.env, MCP_REMOTE_CONFIG_DIR: folder } });
  const timer = setTimeout(() => bridge.kill(), wait);
  let said = "";
  bridge.stderr.on("data", (data) => (said += data));
  const lines = createInterface({ input: bridge.stdout })[Symbol.asyncIterator]();
  let last = 0;
  const send = (message) => bridge.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const ask = async (method, params) => {
    send({ id: ++last, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`mcp-remote ended without an answer to ${method}:\n${said}`);
      const message = JSON.parse(value);
      if (message.id === last) return message.result;
    }
  };
  try {
    const { protocolVersion } = await ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "rowhouse-clients", version: "1.0.0" },
    });
    send({ method: "notifications/initialized" });
    const { tools } = await ask("tools/list", {});
    const bases = await ask("tools/call", { name: "list_bases", arguments: {} });
    const missing = await ask("tools/call", { name: "get_record", arguments: { recordId: "rec_missing" } });
    return {
      protocol: protocolVersion,
      tools: tools.length,
      called: !bases.isError && bases.content.length > 0,
      refused: missing.isError === true,
    };
  } finally {
    clearTimeout(timer);
    bridge.kill();
  }
}

async function typescript(name, url, key, protocol) {
  const args = [join(here, "sdk.mjs"), name, url, key, ...(protocol ? [protocol] : [])];
  return JSON.parse((await run(process.execPath, args, { timeout: wait })).stdout);
}

// go builds a program with a version of the Go SDK, and runs it.
async function go(version, url, key) {
  const module = join(folder, version);
  const settings = { cwd: root, timeout: wait, env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=mod" } };
  for (const name of ["mod", "sum"]) writeFileSync(`${module}.${name}`, readFileSync(join(root, "go." + name)));
  const sdk = "github.com/modelcontextprotocol/go-sdk@" + version;
  await run("go", ["mod", "edit", "-require=" + sdk, module + ".mod"], settings);
  await run("go", ["build", `-modfile=${module}.mod`, "-o", module, "./interoptest/client/gosdk"], settings);
  const { stdout } = await run("go", ["version", "-m", module], settings);
  if (!stdout.includes("go-sdk\t" + version)) throw new Error(`the program was not built with ${version}:\n${stdout}`);
  return JSON.parse((await run(module, [url, key], settings)).stdout);
}

// inspect has the Inspector judge the schemas of the tools. It exits with 6 if one has an error.
async function inspect(url, key) {
  const args = ["--cli", url, "--transport", "http", "--header", "x-api-key: " + key, "--method", "tools/list", "--strict"];
  const { stdout, stderr } = await run(process.execPath, [bin("mcp-inspector"), ...args], {
    timeout: wait,
    maxBuffer: 1 << 24,
  });
  const warnings = stderr.match(/^Warning: /gm)?.length ?? 0;
  return { protocol: `${warnings} warnings, 0 errors`, tools: JSON.parse(stdout).tools.length, called: true, refused: true };
}

const { service, url, key } = await start();
let failed = 0;
async function row(name, ask) {
  let line;
  try {
    const { protocol, tools, called, refused } = await ask();
    const good = tools > 0 && called && refused;
    line = `${good ? "ok  " : "FAIL"} ${name.padEnd(26)} ${tools} tools  ${protocol || "not told"}`;
    if (!good) line += `  called: ${called}, refused: ${refused}`;
    failed += good ? 0 : 1;
  } catch (error) {
    failed++;
    line = `FAIL ${name.padEnd(26)} ${error.stderr || error}`;
  }
  console.log(line);
}
try {
  for (const [name, version] of Object.entries(packages).filter(([name]) => name.startsWith("sdk-"))) {
    const title = "TypeScript SDK " + version.split("@").at(-1);
    await row(title, () => typescript(name, url, key));
    if (name.startsWith("sdk-2")) await row(title, () => typescript(name, url, key, modern));
  }
  for (const version of goVersions) await row("Go SDK " + version, () => go(version, url, key));
  await row("mcp-remote " + packages["mcp-remote"], () => remote(url, key));
  await row("Inspector " + packages["@modelcontextprotocol/inspector"], () => inspect(url, key));
} finally {
  service.kill("SIGINT");
  await new Promise((done) => service.once("exit", done));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
