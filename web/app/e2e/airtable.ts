import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the fake Airtable has: a base of one table, and the token that reads it. */
export const airtable = {
  token: "patBROWSER0000001.0123456789abcdef",
  base: "appBROWSER0000001",
  address: "https://airtable.com/appBROWSER0000001/tblSHIPS000000001/viwGRID0000000001",
};

const field = (id: string, name: string, type: string, options?: object) => ({ id, name, type, options });

const tables = [
  {
    id: "tblSHIPS000000001",
    name: "Ships",
    primaryFieldId: "fldNAME0000000001",
    fields: [
      field("fldNAME0000000001", "Name", "singleLineText"),
      field("fldTONS0000000001", "Tons", "number", { precision: 0 }),
      field("fldSIZE0000000001", "Size", "formula", {
        isValid: true,
        formula: 'IF({fldTONS0000000001} > 100, "large", "small")',
        result: { type: "singleLineText" },
      }),
      field("fldPRINT000000001", "Print", "button"),
    ],
    views: [{ id: "viwGRID0000000001", name: "All ships", type: "grid" }],
  },
];

const records = ["Alma", "Bera", "Cato"].map((name, n) => ({
  id: `recSHIP000000000${n}`,
  createdTime: "2025-01-02T03:04:05.000Z",
  commentCount: 0,
  fields: { fldNAME0000000001: name, fldTONS0000000001: 90 + n * 20 },
}));

let started: Promise<string> | undefined;

/** Starts a fake of Airtable's API that ends with the process, once, and returns its address. */
export function startAirtable(): Promise<string> {
  started ??= new Promise((resolve) => {
    const server = createServer((request, response) => {
      const send = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      const { pathname } = new URL(request.url ?? "/", "http://airtable.test");
      if (request.headers.authorization !== `Bearer ${airtable.token}`)
        return send(401, { error: { type: "AUTHENTICATION_REQUIRED", message: "Authentication required" } });
      if (pathname === "/v0/meta/bases") return send(200, { bases: [{ id: airtable.base, name: "Harbour" }] });
      if (pathname === `/v0/meta/bases/${airtable.base}/tables`) return send(200, { tables });
      if (pathname === `/v0/${airtable.base}/${tables[0]!.id}`) return send(200, { records });
      return send(404, { error: "NOT_FOUND" });
    });
    server.listen(0, "127.0.0.1", () => {
      server.unref();
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
  return started;
}
