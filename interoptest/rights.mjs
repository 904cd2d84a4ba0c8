// OAuth clients as they come: none is told a scope. Each connects to an address of the MCP server, a person
// allows the request, and it writes a record. With `untick`, the person takes writing away first; the client
// is refused, steps up in its own way, and writes. It prints what happened as lines of JSON.
//
//   node rights.mjs <client> <address> <approve URL> <name of a base to make> [untick]
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Provider } from "./person.mjs";

const [kind, address, person, base, mode] = process.argv.slice(2);
const say = (step, detail = {}) => console.log(JSON.stringify({ step, ...detail }));
let untick = mode === "untick" ? ["data:write"] : [];

async function allow(url, options = {}) {
  const response = await fetch(person, { method: "POST", body: JSON.stringify({ url, untick, ...options }) });
  if (!response.ok) throw new Error(await response.text());
  const back = await response.json();
  const query = new URL(url).searchParams;
  say("allowed", { asked: query.get("scope"), resource: query.get("resource"), offered: back.offered, unticked: untick });
  untick = [];
  return back;
}

// The host of an SDK: it shows the person the page and hands the code back.
class Host extends Provider {
  async browse(url) {
    return allow(String(url));
  }
}

/** A client of either SDK, used as its documentation says: on UnauthorizedError finish and try again. */
async function sdk(ClientClass, Transport) {
  const provider = new Host("", say);
  let transport, client;
  const connect = async () => {
    transport = new Transport(new URL(address), { authProvider: provider });
    client = new ClientClass({ name: "interop", version: "1" });
    await client.connect(transport);
  };
  const withPerson = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!provider.code) throw error;
      await transport.finishAuth(provider.code, provider.iss);
      provider.code = undefined;
      return work();
    }
  };
  await withPerson(connect);
  return {
    call: (name, args) => withPerson(() => client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

/** A client that follows RFC 9728 strictly: the resource of the metadata must be the URL that it connects to. */
function strict() {
  let token, registered;
  const send = (message) =>
    fetch(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
        ...(token && { authorization: "Bearer " + token }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
  const authorize = async (challenge) => {
    const parameter = (name) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1];
    const resource = await (await fetch(parameter("resource_metadata"))).json();
    if (resource.resource !== address) throw new Error(`the metadata is of ${resource.resource}, not of ${address}`);
    const issuer = resource.authorization_servers[0];
    const server = await (await fetch(issuer + "/.well-known/oauth-authorization-server")).json();
    if (server.issuer !== issuer) throw new Error(`the issuer is ${server.issuer}`);
    const redirect_uri = "http://127.0.0.1:33420/callback";
    registered ??= await (
      await fetch(server.registration_endpoint, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ client_name: "Strict", redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" }),
      })
    ).json();
    const verifier = randomBytes(32).toString("base64url");
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: registered.client_id,
      redirect_uri,
      resource: resource.resource,
      scope: parameter("scope") ?? resource.scopes_supported.join(" "),
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const { code } = await allow(url.href);
    const answer = await (
      await fetch(server.token_endpoint, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          client_id: registered.client_id,
          code,
          redirect_uri,
          code_verifier: verifier,
          resource: resource.resource,
        }),
      })
    ).json();
    token = answer.access_token;
    say("tokens", { scope: answer.scope });
  };
  const call = async (name, args) => {
    for (;;) {
      const response = await send({ method: "tools/call", params: { name, arguments: args } });
      const body = await response.text();
      if (response.ok) return JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body).result;
      const challenge = response.headers.get("www-authenticate") ?? "";
      say("challenged", { status: response.status, challenge });
      if (response.status !== 401 && !challenge.includes('error="insufficient_scope"')) throw new Error(body);
      await authorize(challenge);
    }
  };
  return { call, close: async () => {} };
}

/** A port below those from which connections begin, so that nothing takes it in the meantime. */
async function freePort() {
  for (;;) {
    const port = 20000 + Math.floor(Math.random() * 12000);
    const server = createServer();
    const free = await new Promise((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** mcp-remote, which bridges stdio to the server, driven by a client that knows nothing of OAuth. */
async function remote() {
  const proxy = join(import.meta.dirname, "node_modules", "mcp-remote", "dist", "proxy.js");
  const pages = [];
  let client, config, askedAgain;
  const start = async () => {
    config = mkdtempSync(join(tmpdir(), "mcp-remote-"));
    const port = await freePort(); // another one each time: the last process may not have let go of its own
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [proxy, address, String(port), "--allow-http"],
      env: { ...process.env, MCP_REMOTE_CONFIG_DIR: config, BROWSER: "true" },
      stderr: "pipe",
    });
    let log = "";
    let connected = false;
    transport.stderr.on("data", (part) => {
      log += part;
      const url = /(https?:\S+\/oauth\/authorize\?\S+)\s/.exec(log)?.[1];
      if (!url) return;
      log = "";
      // It asks again in the middle of a session, but no longer listens for the code.
      if (connected) {
        say("asked again", { scope: new URL(url).searchParams.get("scope") });
        askedAgain(new Error("the proxy asked again, and its call does not end"));
      } else pages.push(allow(url, { follow: true }));
    });
    client = new Client({ name: "interop", version: "1" });
    await client.connect(transport);
    connected = true;
  };
  await start();
  return {
    // So its host forgets the tokens and starts it again, without waiting a minute for the end of the call.
    call: async (name, args) => {
      try {
        const again = new Promise((_, reject) => (askedAgain = reject));
        return await Promise.race([client.callTool({ name, arguments: args }), again]);
      } catch (error) {
        say("refused", { error: String(error) });
        await client.close();
        await start();
        return client.callTool({ name, arguments: args });
      }
    },
    close: async () => {
      await Promise.all(pages);
      await client.close();
    },
  };
}

const kinds = {
  "TypeScript SDK 1": () => sdk(Client, StreamableHTTPClientTransport),
  "TypeScript SDK 2": () => sdk(Client2, Transport2),
  strict,
  "mcp-remote": remote,
};
const client = await kinds[kind]();
const call = async (name, args) => {
  const result = await client.call(name, args);
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  return result.structuredContent;
};
say("read", { bases: (await call("list_bases", {})).bases.length });
await call("create_base", { name: base });
await call("create_table", { baseId: base, name: "Things" });
await call("create_records", { tableId: base + "/Things", records: [{ fields: { Name: "written" } }] });
say("written");
await client.close();
process.exit(0);
