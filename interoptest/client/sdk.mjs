// Lists and calls tools with one version of the TypeScript SDK. Usage: node sdk.mjs <package> <url> <API key>
// [protocol version]. It writes a line of JSON: {"protocol", "tools", "called", "refused"}.
const [name, url, key, protocol] = process.argv.slice(2);
const first = name.startsWith("sdk-1");
const { Client } = await import(first ? `${name}/client/index.js` : name);
const { StreamableHTTPClientTransport } = await import(first ? `${name}/client/streamableHttp.js` : name);

const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { "x-api-key": key } } });
const client = new Client(
  { name: "rowhouse-clients", version: "1.0.0" },
  protocol ? { versionNegotiation: { mode: { pin: protocol } } } : {},
);
await client.connect(transport);
const { tools } = await client.listTools();
const bases = await client.callTool({ name: "list_bases", arguments: {} });
const missing = await client.callTool({ name: "get_record", arguments: { recordId: "rec_missing" } });
console.log(
  JSON.stringify({
    protocol: transport.protocolVersion ?? client.getNegotiatedProtocolVersion?.() ?? "",
    tools: tools.length,
    called: !bases.isError && bases.content.length > 0,
    refused: missing.isError === true,
  }),
);
await client.close();
