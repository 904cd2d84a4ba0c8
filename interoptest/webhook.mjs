// Receives webhooks with the library of Standard Webhooks. Usage: WEBHOOK_SECRET=whsec_… PORT=… node
// webhook.mjs. It writes a line {"ready": true}, and one for each message: {"type", "changes"} or
// {"refused"}.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    const { type, data } = webhook.verify(Buffer.concat(parts).toString(), request.headers);
    say({ type, changes: data.changes.length });
    response.writeHead(204).end();
  } catch (error) {
    say({ refused: error.message });
    response.writeHead(401).end();
  }
}).listen(process.env.PORT, "127.0.0.1", () => say({ ready: true }));
