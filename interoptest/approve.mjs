// The browser of a person, for clients that connect by OAuth. It signs in at the service once. Each POST is
// an authorization URL and what the person unticks; the person then allows the request on the consent page.
// The response is the query of the client's redirect URL, which the browser does not open unless follow is
// set, with what the page offered.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const { executable, base, email, password, photo } = JSON.parse(readFileSync(0, "utf8"));
const browser = await chromium.launch({
  executablePath: executable,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 1000 } });
{
  const page = await context.newPage();
  await page.goto(base + "/sign-in");
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.locator("main button:not(.quiet)").first().click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.close();
}

async function approve({ url, untick, follow = false }) {
  const page = await context.newPage();
  try {
    const redirect = new URL(url).searchParams.get("redirect_uri");
    const opened = (address) => address.href.startsWith(redirect);
    if (!follow)
      await page.route(opened, (route) =>
        route.fulfill({ status: 200, contentType: "text/plain", body: "You can go back to the program." }),
      );
    // Where nobody listens, the shell without a window leaves for a page of its own, so that the URL tells nothing.
    const sent = page.waitForRequest((request) => opened(new URL(request.url())), { timeout: 60_000 });
    sent.catch(() => {}); // it is awaited after the page was filled in
    await page.goto(url);
    const offered = [];
    for (const box of await page.locator("input[name=scope]").all()) {
      const scope = await box.getAttribute("value");
      offered.push({ scope, checked: await box.isChecked() });
      if (untick?.includes(scope)) await box.uncheck();
    }
    if (photo) await page.screenshot({ path: photo, fullPage: true });
    if (offered.length > 0) await page.locator("button[value=allow]").click();
    const back = new URL((await sent).url());
    if (follow) await page.waitForURL(opened, { timeout: 60_000 });
    return { offered, ...Object.fromEntries(back.searchParams) };
  } catch (error) {
    throw new Error(`${error.message}\n${await page.locator("body").innerText()}`, { cause: error });
  } finally {
    await page.close();
  }
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  try {
    response.end(JSON.stringify(await approve(JSON.parse(body))));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on("SIGTERM", () => browser.close().finally(() => process.exit()));
