// Calls tools with an official TypeScript client. Usage: node tool.mjs <v1|v2> <url> <header>
// <credential> [accept|decline], the last being what its person answers to every question; without it
// nobody can be asked. With the header oauth, the client gets tokens itself, for the person whose session
// cookie the credential is. It reads lines {"tool", "arguments"} and writes a line {"answer",
// "failed", "asked"} for each, asked being the questions; the first line it writes says what it negotiated with the server: {"era",
// "tools"}.
import { createInterface } from "node:readline";
import { Provider } from "./person.mjs";

const [kind, address, header, credential, person] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } =
  kind === "v1"
    ? {
        ...(await import("@modelcontextprotocol/sdk/client/index.js")),
        ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
      }
    : await import("@modelcontextprotocol/client");

const provider = header === "oauth" ? new Provider(credential) : undefined;
const connection = () =>
  new StreamableHTTPClientTransport(
    new URL(address),
    provider ? { authProvider: provider } : { requestInit: { headers: { [header]: credential } } },
  );
let transport;

// The person allows what the client asks for by its own defaults, and more when a tool needs more.
async function withConsent(attempt) {
  try {
    return await attempt();
  } catch (error) {
    if (!provider?.code) throw error;
    await transport.finishAuth(provider.code, provider.iss);
    provider.code = undefined;
    return attempt();
  }
}
const options = kind === "v1" ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } };
if (person) options.capabilities = { elicitation: { form: {} } };
const client = new Client({ name: "rowhouse-test", version: "1.0.0" }, options);
const asked = [];
if (person) {
  client.setRequestHandler("elicitation/create", (request) => {
    asked.push(request.params.message);
    return person === "accept" ? { action: "accept", content: { confirm: true } } : { action: "decline" };
  });
}
await withConsent(() => client.connect((transport = connection())));

const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
const { tools } = await client.listTools();
say({ era: transport.protocolVersion ?? client.getNegotiatedProtocolVersion?.() ?? "", tools: tools.length });

for await (const line of createInterface({ input: process.stdin })) {
  const { tool, arguments: given } = JSON.parse(line);
  try {
    const result = await withConsent(() => client.callTool({ name: tool, arguments: given }));
    const text = result.content[0].text;
    const failed = result.isError === true;
    const structured = failed ? undefined : JSON.stringify(JSON.parse(text));
    if (structured !== JSON.stringify(result.structuredContent)) {
      throw new Error("the text is not the structured content: " + text);
    }
    say({ answer: text, failed, meta: result._meta, asked: asked.splice(0) });
  } catch (error) {
    say({ broken: String(error) });
  }
}
await client.close();
