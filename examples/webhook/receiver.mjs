// Receives webhooks of Rowhouse with nothing but Node.js:
// WEBHOOK_SECRET=whsec_… PORT=8787 node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace("whsec_", ""), "base64");
const seen = new Set(); // ids of messages; keep them in your database

function verified(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false; // repeated by somebody who listened
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(" ").some((one) => {
    const given = Buffer.from(one.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts); // verify these bytes, and not JSON that was parsed and written anew
  if (!verified(request.headers, body)) return response.writeHead(401).end();
  const id = request.headers["webhook-id"];
  if (!seen.has(id)) {
    for (const change of JSON.parse(body).data.changes) console.log(change.kind, change.record ?? change.object);
    seen.add(id); // when everything is stored: what fails before comes again
  }
  return response.writeHead(204).end();
}).listen(process.env.PORT ?? 8787);
