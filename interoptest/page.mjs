// A browser test of the consent and error pages: without scripts, it goes from an authorization
// request through sign-in and consent to the client's URL; then it opens the pages in both themes
// and two widths, takes screenshots, and runs axe.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const { executable, base, email, password, photos, flow, pages } = JSON.parse(readFileSync(0, "utf8"));
const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu"] });
const findings = [];
const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

async function signIn(page) {
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.locator("main button:not(.quiet)").first().click();
}

const plain = await browser.newContext({ javaScriptEnabled: false });
const walker = await plain.newPage();
await walker.goto(flow.authorize);
const first = new URL(walker.url()).pathname;
await signIn(walker);
await walker.locator("button[value=allow]").waitFor();
const asked = await walker.title();
await walker.locator("button[value=allow]").click();
await walker.waitForURL((url) => url.href.startsWith(flow.callback), { timeout: 15_000 });
const landed = walker.url();
const state = await plain.storageState();

for (const [theme, width] of [
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390],
]) {
  const context = await browser.newContext({
    storageState: state,
    colorScheme: theme,
    viewport: { width, height: 844 },
    bypassCSP: false,
  });
  for (const [name, address] of Object.entries(pages)) {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of 40\d/.test(message.text()))
        findings.push(`${name}: ${message.text()}`);
    });
    await page.goto(address);
    if (photos) await page.screenshot({ path: join(photos, `${name}-${theme}-${width}.png`), fullPage: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) findings.push(`${name} ${theme} ${width}: scrolls sideways by ${wide}`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const v of violations)
      findings.push(`${name} ${theme} ${width}: ${v.id} (${v.impact}): ${v.nodes.map((n) => n.target).join(", ")}`);
    await page.close();
  }
  await context.close();
}
await browser.close();
console.log(JSON.stringify({ first, asked, landed, findings }));
