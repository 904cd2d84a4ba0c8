// Takes the README's screenshots from a running `make run`, into docs/image. Usage:
// node dev/screenshot.mjs
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const root = new URL("../../../", import.meta.url);
const dev = JSON.parse(await readFile(process.env.DEV_JSON ?? new URL(".rowhouse/dev.json", root), "utf8"));
const folder = new URL("docs/image/", root).pathname;
await mkdir(folder, { recursive: true });

const call = async (path, body) => {
  const response = await fetch(dev.baseUrl + path, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": dev.apiKey, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
});
try {
  const context = await browser.newContext({
    baseURL: dev.baseUrl,
    viewport: { width: 1180, height: 640 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.locator("#email").fill(dev.email);
  await page.locator("#password").fill(dev.password);
  await page.locator("#password").press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));

  const { bases } = await call("/api/v1/bases");
  const { tables } = await call(`/api/v1/bases/${bases[0].id}/tables`);
  await page.goto(`/base/${bases[0].id}/${tables[0].id}`);
  await page.getByTestId("data-grid-canvas").waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(500); // the canvas draws its last thumbnails
  await page.screenshot({ path: `${folder}grid.png` });

  const redirect = "http://127.0.0.1:6274/callback";
  const client = await call("/oauth/register", {
    client_name: "Research Assistant",
    redirect_uris: [redirect],
    token_endpoint_auth_method: "none",
  });
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirect,
    scope: "mcp:tools schema:read data:read data:write",
    resource: `${dev.baseUrl}/mcp`,
    state: randomBytes(16).toString("hex"),
    code_challenge: createHash("sha256").update(randomBytes(32).toString("hex")).digest("base64url"),
    code_challenge_method: "S256",
  });
  await page.setViewportSize({ width: 760, height: 850 });
  await page.goto(`/oauth/authorize?${query}`);
  await page.screenshot({ path: `${folder}consent.png` });
} finally {
  await browser.close();
}
