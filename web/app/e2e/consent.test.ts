import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, createTable, rowsOf, testService } from "./fixture.ts";

const fixture = browserFixture();

type Tool = { result?: { isError?: boolean; content: { type: string; text: string }[] } };

/** Calls a tool of the MCP server. */
async function callTool(token: string, name: string, args: Record<string, unknown>) {
  const response = await fetch(`${testService().baseUrl}/mcp`, {
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
    body: data.startsWith("{") ? (JSON.parse(data) as Tool) : undefined,
  };
}

test("an unknown client registers, gets consent, calls tools, and is refused once it is revoked", async () => {
  const service = testService();
  const created = await createTable("Orders", [{ name: "Name", type: "text" }]);
  const server = createServer((_request, response) => void response.end("You can go back to the program."));
  const callback = new Promise<URL>((resolve) => {
    server.on("request", (request) => {
      const address = new URL(request.url ?? "/", "http://127.0.0.1");
      if (address.pathname === "/callback") resolve(address);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  try {
    // Without a token the response names the metadata, from which the client finds the rest.
    const refused = await fetch(`${service.baseUrl}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    expect(refused.status).toBe(401);
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(refused.headers.get("WWW-Authenticate") ?? "")?.[1] ?? "";
    const resource = (await (await fetch(metadataUrl)).json()) as { resource: string; authorization_servers: string[] };
    const metadata = (await (
      await fetch(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, string>;
    const registered = await fetch(metadata.registration_endpoint ?? "", {
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
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirect,
      scope: "mcp:tools data:read data:write schema:read",
      state,
      resource: resource.resource,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const { context, problems } = await newContext(fixture.browser, service);
    const page = await context.newPage();
    await page.goto(`${metadata.authorization_endpoint}?${query}`);
    await page.getByLabel("E-mail", { exact: false }).first().fill(service.email);
    await page.locator("#password").fill(service.password);
    await page.locator("#password").press("Enter");
    await page.getByRole("heading", { name: "Allow Shelf reader access?" }).waitFor();
    await page.getByText("nobody has checked it").waitFor();
    for (const scope of ["data:read", "data:write", "schema:read"])
      await page.locator(`input[name=scope][value="${scope}"]`).check();
    await page.getByRole("button", { name: "Allow" }).click();
    const parameters = (await callback).searchParams;
    expect(parameters.get("state")).toBe(state);
    expect(parameters.get("iss")).toBe(metadata.issuer);

    const token = await fetch(metadata.token_endpoint ?? "", {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: parameters.get("code") ?? "",
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
    expect(JSON.parse(me.body?.result?.content[0]?.text ?? "{}")).toMatchObject({
      kind: "oauth",
      orgs: [{ orgId: service.orgId }],
    });
    const response = await callTool(access, "create_records", {
      tableId: created.table.id,
      records: [{ fields: { Name: "By an agent" } }],
    });
    expect(response.body?.result?.isError ?? false).toBe(false);
    expect((await rowsOf(created.table.id)).map((row) => row.fields.Name)).toEqual(["By an agent"]);

    // The account lists the connected app and can end its access.
    const settings = fixture.page;
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
    const again = await fetch(metadata.token_endpoint ?? "", {
      method: "POST",
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh, client_id: clientId }),
    });
    expect(again.status).toBe(400);
    // Only the redirect to the client leaves the service.
    const client = new URL(redirect).origin;
    const externalRequests = problems.externalRequests.filter((url) => !url.startsWith(client));
    expect({ ...problems, externalRequests }).toEqual(noProblems);
    await context.close();
  } finally {
    server.close();
  }
});
