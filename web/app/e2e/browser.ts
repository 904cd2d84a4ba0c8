import { access } from "node:fs/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { Service } from "./service.ts";

export type Seen = { violations: string[]; outside: string[]; errors: string[] };

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"];

async function executable(): Promise<string> {
  for (const path of candidates) {
    if (!path) continue;
    try {
      await access(path);
    } catch {
      continue;
    }
    return path;
  }
  throw new Error("there is no Chromium; set CHROMIUM to its path");
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args });
}

/**
 * A browser that keeps its cache and its compiled scripts in a folder, as one that people use does.
 */
export async function openKept(dir: string, service: Service): Promise<BrowserContext> {
  return chromium.launchPersistentContext(dir, {
    executablePath: await executable(),
    args,
    baseURL: service.baseUrl,
    viewport: { width: 1280, height: 820 },
  });
}

type Options = { dark?: boolean; width?: number; height?: number };

/**
 * A browser's window with nobody signed in, which writes down what must not happen: violations of
 * the policy, requests elsewhere, errors.
 */
export async function openWindow(
  browser: Browser,
  service: Service,
  { dark, width = 1280, height = 820 }: Options = {},
) {
  const context = await browser.newContext({
    baseURL: service.baseUrl,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    isMobile: width < 500,
    hasTouch: width < 500,
    permissions: ["clipboard-read", "clipboard-write"],
    acceptDownloads: true,
  });
  context.setDefaultTimeout(15_000);
  const seen: Seen = { violations: [], outside: [], errors: [] };
  await context.exposeFunction("rowhouseViolation", (text: string) => seen.violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const tell = (window as unknown as { rowhouseViolation: (text: string) => void }).rowhouseViolation;
      const source = `${event.sourceFile}:${event.lineNumber}`;
      tell(`${event.violatedDirective} ${event.blockedURI} ${source} on ${location.pathname}`);
    });
  });
  context.on("page", (page) => watch(page, service, seen));
  return { context, seen };
}

function watch(page: Page, service: Service, seen: Seen) {
  page.on("request", (request) => {
    const url = request.url();
    if (
      !url.startsWith(service.baseUrl) &&
      !url.startsWith("data:") &&
      !url.startsWith("blob:") &&
      !url.startsWith("about:")
    )
      seen.outside.push(url);
  });
  page.on("pageerror", (error) => seen.errors.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    // Answers of the service that the test provokes are told on the page; the browser also logs
    // them.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      seen.errors.push(`${page.url()}: ${message.text()}`);
  });
}

export async function signIn(context: BrowserContext, email: string, password: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail", { exact: false }).first().fill(email);
  await page.locator("#password").fill(password);
  await page.locator("#password").press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  return page;
}
