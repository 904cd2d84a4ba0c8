// Subscribes to a resource with the official TypeScript client of revision 2026-07-28. Usage: node
// listen.mjs <url> <header> <credential> <uri>. It writes a line {"subscribed"} with the URIs that the
// server agreed to, and then a line {"updated"} for each URI that it is told of, until its input ends.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [address, header, credential, uri] = process.argv.slice(2);
const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
const transport = new StreamableHTTPClientTransport(new URL(address), {
  requestInit: { headers: { [header]: credential } },
});
const client = new Client(
  { name: "rowhouse-test", version: "1.0.0" },
  { versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
client.setNotificationHandler("notifications/resources/updated", (told) => say({ updated: told.params.uri }));
await client.connect(transport);
const subscription = await client.listen({ resourceSubscriptions: [uri] });
say({ subscribed: subscription.honoredFilter.resourceSubscriptions ?? [] });
process.stdin.resume();
await new Promise((resolve) => process.stdin.once("end", resolve));
await subscription.close();
await client.close();
