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

// A tool that needs more scopes than were granted. The SDK steps up by itself: the server rejects the
// refresh that it tries first, so it sends the person to the consent page, and the host finishes.
let result;
try {
  result = await client.callTool({ name: "list_members", arguments: {} });
} catch (error) {
  if (!provider.code) throw error;
  await transport.finishAuth(provider.code);
  provider.code = undefined;
  result = await client.callTool({ name: "list_members", arguments: {} });
}
step("stepped up", { text: result.content[0].text });

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
