import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, inject, test } from "vitest";
import { openWindow } from "./browser.ts";
import { makeTable, rowsOf, stage } from "./fixture.ts";

const at = stage();

type Tool = { result?: { isError?: boolean; content: { type: string; text: string }[] } };

/** Calls a tool as a client of the MCP server does. */
async function callTool(token: string, name: string, args: Record<string, unknown>) {
  const response = await fetch(`${inject("service").baseUrl}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return {
    status: response.status,
    challenge: response.headers.get("WWW-Authenticate") ?? "",
    answer: data.startsWith("{") ? (JSON.parse(data) as Tool) : undefined,
  };
}

test("an unknown client registers, gets consent, calls tools, and is refused once it is revoked", async () => {
  const service = inject("service");
  const made = await makeTable("Orders", [{ name: "Name", type: "text" }]);
  const client = createServer((_request, answer) => void answer.end("You can go back to the program."));
  const callback = new Promise<URL>((arrived) => {
    client.on("request", (request) => {
      const address = new URL(request.url ?? "/", "http://127.0.0.1");
      if (address.pathname === "/callback") arrived(address);
    });
  });
  await new Promise<void>((ready) => client.listen(0, "127.0.0.1", ready));
  const redirect = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
  try {
    // Without a token the server says where to look; from there the client finds everything else.
    const refused = await fetch(`${service.baseUrl}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    expect(refused.status).toBe(401);
    const where = /resource_metadata="([^"]+)"/.exec(refused.headers.get("WWW-Authenticate") ?? "")?.[1] ?? "";
    const resource = (await (await fetch(where)).json()) as { resource: string; authorization_servers: string[] };
    const server = (await (
      await fetch(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, string>;
    const registered = await fetch(server.registration_endpoint ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        client_name: "Shelf reader",
        redirect_uris: [redirect],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      }),
    });
    expect(registered.status).toBe(201);
    const { client_id: clientId } = (await registered.json()) as { client_id: string };

    const verifier = randomBytes(32).toString("base64url");
    const state = randomBytes(8).toString("hex");
    const ask = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirect,
      scope: "mcp:tools data:read data:write schema:read",
      state,
      resource: resource.resource,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const { context, seen } = await openWindow(at.browser, service);
    const page = await context.newPage();
    await page.goto(`${server.authorization_endpoint}?${ask}`);
    await page.getByLabel("E-mail", { exact: false }).first().fill(service.email);
    await page.locator("#password").fill(service.password);
    await page.locator("#password").press("Enter");
    await page.getByRole("heading", { name: "Allow Shelf reader access?" }).waitFor();
    await page.getByText("nobody has checked it").waitFor();
    for (const scope of ["data:read", "data:write", "schema:read"])
      await page.locator(`input[name=scope][value="${scope}"]`).check();
    await page.getByRole("button", { name: "Allow" }).click();
    const answer = (await callback).searchParams;
    expect(answer.get("state")).toBe(state);
    expect(answer.get("iss")).toBe(server.issuer);

    const token = await fetch(server.token_endpoint ?? "", {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: answer.get("code") ?? "",
        redirect_uri: redirect,
        client_id: clientId,
        code_verifier: verifier,
        resource: resource.resource,
      }),
    });
    expect(token.status).toBe(200);
    const { access_token: access, refresh_token: refresh } = (await token.json()) as {
      access_token: string;
      refresh_token: string;
    };

    const me = await callTool(access, "get_me", {});
    expect(JSON.parse(me.answer?.result?.content[0]?.text ?? "{}")).toMatchObject({
      kind: "oauth",
      orgs: [{ orgId: service.orgId }],
    });
    const created = await callTool(access, "create_records", {
      tableId: made.table.id,
      records: [{ fields: { Name: "By an agent" } }],
    });
    expect(created.answer?.result?.isError ?? false).toBe(false);
    expect((await rowsOf(made.table.id)).map((row) => row.fields.Name)).toEqual(["By an agent"]);

    // The application that is connected stands in the account, and its access ends there.
    const settings = at.page;
    await settings.goto("/settings/apps");
    const app = settings.getByRole("listitem").filter({ hasText: "Shelf reader" });
    await app.getByText("data:write").waitFor();
    await app.getByText("Unverified").waitFor();
    await app.getByRole("button", { name: /Revoke|Disconnect/ }).click();
    await settings
      .getByRole("alertdialog")
      .getByRole("button", { name: /Revoke|Disconnect/ })
      .click();
    await app.waitFor({ state: "detached" });
    await expect.poll(async () => (await callTool(access, "get_me", {})).status).toBe(401);
    expect((await callTool(access, "get_me", {})).challenge).toContain("resource_metadata=");
    const again = await fetch(server.token_endpoint ?? "", {
      method: "POST",
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh, client_id: clientId }),
    });
    expect(again.status).toBe(400);
    // The way back to the client is the only one that left the service.
    expect({ ...seen, outside: seen.outside.filter((url) => !url.startsWith(new URL(redirect).origin)) }).toEqual({
      violations: [],
      outside: [],
      errors: [],
    });
    await context.close();
  } finally {
    client.close();
  }
});
