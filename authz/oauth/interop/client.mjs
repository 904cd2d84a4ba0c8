// The OAuth client of the TypeScript SDK, unmodified: it knows the address of the MCP server, and a cookie by which the person is
// signed in. It prints each step as a line of JSON; the test that runs it checks them.
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [endpoint, cookie] = process.argv.slice(2);
const step = (name, detail = {}) => console.log(JSON.stringify({ step: name, ...detail }));

class Provider {
  redirectUrl = "http://127.0.0.1:33418/callback";
  clientMetadata = {
    client_name: "TypeScript SDK",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  saved = {};
  state() { return "state-" + Math.random().toString(36).slice(2); }
  clientInformation() { return this.saved.client; }
  saveClientInformation(client) { this.saved.client = client; step("registered", { client: client.client_id }); }
  tokens() { return this.saved.tokens; }
  saveTokens(tokens) { this.saved.tokens = tokens; step("tokens", { scope: tokens.scope, refresh: Boolean(tokens.refresh_token) }); }
  saveCodeVerifier(verifier) { this.saved.verifier = verifier; }
  codeVerifier() { return this.saved.verifier; }
  async redirectToAuthorization(url) { this.code = await browse(url); }
}

// browse does what the person's browser does: it opens the consent page, allows what is asked, and stops at the client's address.
async function browse(url) {
  const page = await fetch(url, { headers: { cookie }, redirect: "manual" });
  let back = page;
  if (page.status === 200) {
    const form = new URLSearchParams();
    for (const [tag] of (await page.text()).matchAll(/<input [^>]*>/g)) {
      if (/type="(checkbox|radio)"/.test(tag) && tag.includes('type="radio"') && !tag.includes(" checked")) continue;
      form.append(/name="([^"]*)"/.exec(tag)[1], /value="([^"]*)"/.exec(tag)[1]);
    }
    form.append("decision", "allow");
    back = await fetch(new URL("/oauth/consent", url), { method: "POST", headers: { cookie }, body: form, redirect: "manual" });
  }
  const location = new URL(back.headers.get("location"));
  step("authorized", { iss: location.searchParams.get("iss"), resource: new URL(url).searchParams.get("resource"), asked: page.status === 200 });
  return location.searchParams.get("code");
}

const provider = new Provider();
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

// A tool that needs more than was granted. This SDK answers the 403 by refreshing, which cannot give more (RFC 6749 section 6), and
// then gives up: a host has to forget the tokens and authorize anew, for all that the challenge names and what it had.
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
