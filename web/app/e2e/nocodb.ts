import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the fake NocoDB has: a base of one table, and the token that reads it. */
export const nocodb = { token: "nc-BROWSER00000001", base: "pbrowser0000001" };

const column = (id: string, title: string, uidt: string, more?: object) => ({ id, title, uidt, ...more });

const table = {
  id: "mships",
  title: "Ships",
  columns: [
    column("cid", "Id", "ID", { pk: true }),
    column("ctitle", "Title", "SingleLineText", { pv: true }),
    column("ctons", "Tons", "Decimal"),
    column("cpress", "Press", "Button"),
  ],
  views: [{ id: "vwships", title: "All ships", type: 3 }],
};

const rows = ["Alma", "Bera", "Cato"].map((Title, n) => ({ Id: n + 1, Title, Tons: 90 + n }));

const answers: Record<string, object> = {
  [`/api/v2/meta/bases/${nocodb.base}`]: { id: nocodb.base, title: "Fjord" },
  [`/api/v2/meta/bases/${nocodb.base}/tables`]: { list: [{ id: table.id, title: table.title }] },
  [`/api/v2/meta/tables/${table.id}`]: table,
  "/api/v2/meta/views/vwships/columns": { list: [{ fk_column_id: "ctons", show: true }] },
  "/api/v2/meta/views/vwships/sorts": { list: [] },
  [`/api/v2/tables/${table.id}/records`]: { list: rows, pageInfo: { isLastPage: true } },
};

/** Starts a fake of NocoDB's API that ends with the process, and returns its address. */
export function startNocoDB(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      const send = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (request.headers["xc-token"] !== nocodb.token) return send(401, { error: "ERR_AUTHENTICATION_REQUIRED" });
      const answer = answers[new URL(request.url ?? "/", "http://nocodb.test").pathname];
      return answer ? send(200, answer) : send(404, { error: "ERR_TABLE_NOT_FOUND" });
    });
    server.listen(0, "127.0.0.1", () => {
      server.unref();
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}
