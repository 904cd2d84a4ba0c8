// The unmodified OAuth client of the TypeScript SDK: it knows only the URL of the MCP server and
// the person's session cookie. It prints each step as a line of JSON, which the test checks.
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Provider } from "./person.mjs";

const [endpoint, cookie] = process.argv.slice(2);
const step = (name, detail = {}) => console.log(JSON.stringify({ step: name, ...detail }));

const provider = new Provider(cookie, step);
async function connect() {
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider: provider });
  const client = new Client({ name: "interop", version: "1" });
  try {
    await client.connect(transport);
  } catch (error) {
    if (!provider.code) throw error;
    await transport.finishAuth(provider.code);
    provider.code = undefined;
    return connect();
  }
  return { client, transport };
}

let { client, transport } = await connect();
step("called", { text: (await client.callTool({ name: "whoami", arguments: {} })).content[0].text });

// A tool that needs more scopes than were granted. This SDK responds to the 403 by refreshing,
// which cannot add scopes (RFC 6749 section 6), and then gives up: a host has to discard the tokens
// and authorize again, for the scopes of the challenge and those it had.
try {
  await client.callTool({ name: "write", arguments: {} });
} catch (error) {
  step("refused", { status: error.code });
  const had = provider.saved.tokens.scope;
  provider.saved.tokens = undefined;
  await auth(provider, { serverUrl: endpoint, scope: had + " data:write" });
  await auth(provider, { serverUrl: endpoint, authorizationCode: provider.code });
}
step("stepped up", { text: (await client.callTool({ name: "write", arguments: {} })).content[0].text });

const before = provider.saved.tokens;
step("refreshed", {
  result: await auth(provider, { serverUrl: endpoint }),
  rotated: provider.saved.tokens.refresh_token !== before.refresh_token,
});
step("called", { text: (await client.callTool({ name: "whoami", arguments: {} })).content[0].text });

const metadata = await (await fetch(new URL("/.well-known/oauth-authorization-server", endpoint))).json();
const revoked = await fetch(metadata.revocation_endpoint, {
  method: "POST",
  body: new URLSearchParams({ token: provider.saved.tokens.refresh_token, client_id: provider.saved.client.client_id }),
});
const after = await fetch(endpoint, {
  method: "POST",
  headers: { authorization: "Bearer " + provider.saved.tokens.access_token, "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
});
step("revoked", { status: revoked.status, after: after.status, challenge: after.headers.get("www-authenticate") });
await client.close();
