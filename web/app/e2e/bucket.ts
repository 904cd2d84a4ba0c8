import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The content of a request that is signed in chunks. */
function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.subarray(at, end).toString(), 16);
    if (!size) break;
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

/** A server with as much of the S3 API as backups of small bases need. It can refuse to store. */
export async function startBucket() {
  const objects = new Map<string, Buffer>();
  const state = { refuses: false };
  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const path = new URL(request.url ?? "", "http://bucket").pathname;
    const known = objects.get(path);
    if (request.method === "PUT" && state.refuses) {
      response.writeHead(403, { "content-type": "application/xml" });
      response.end("<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>");
    } else if (request.method === "PUT") {
      const chunked = String(request.headers["x-amz-content-sha256"]).startsWith("STREAMING-");
      objects.set(path, chunked ? unchunked(body) : body);
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === "DELETE") {
      objects.delete(path);
      response.writeHead(204).end();
    } else if (known) {
      const headers = { etag: '"1"', "last-modified": new Date().toUTCString(), "content-length": known.length };
      response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : known);
    } else {
      response.writeHead(404, { "content-type": "application/xml" });
      response.end("<Error><Code>NoSuchKey</Code><Message>There is none.</Message></Error>");
    }
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => answer(request, response, Buffer.concat(parts)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, objects, state, stop: () => void server.close() };
}
