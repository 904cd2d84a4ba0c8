import { access } from "node:fs/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { Service } from "./service.ts";

/** What must never happen in a page of the application. */
export type PageProblems = { violations: string[]; externalRequests: string[]; errors: string[] };

export const noProblems: PageProblems = { violations: [], externalRequests: [], errors: [] };

// The shell without a window takes a third less of a processor.
const shell = "/usr/bin/chromium-headless-shell";
const windowed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const candidates = [process.env.CHROMIUM, shell, ...windowed];

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

/** A browser that keeps its cache and compiled scripts in a folder, as a person's browser does. */
export async function openPersistentContext(dir: string, service: Service): Promise<BrowserContext> {
  return chromium.launchPersistentContext(dir, {
    executablePath: await executable(),
    args,
    baseURL: service.baseUrl,
    viewport: { width: 1280, height: 820 },
  });
}

type Options = {
  dark?: boolean;
  width?: number;
  height?: number;
  proxy?: string;
  locale?: string;
  /** The languages that the browser prefers: English, whatever the locale, so that tests find their texts. */
  languages?: string[];
  timezoneId?: string;
};

/** A signed-out browser context that records every problem of its pages. */
export async function newContext(
  browser: Browser,
  service: Service,
  { dark, width = 1280, height = 820, proxy, locale, languages = ["en"], timezoneId }: Options = {},
) {
  const context = await browser.newContext({
    baseURL: service.baseUrl,
    viewport: { width, height },
    locale,
    timezoneId,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    isMobile: width < 500,
    hasTouch: width < 500,
    permissions: ["clipboard-read", "clipboard-write"],
    acceptDownloads: true,
    // By itself the browser asks its own machine without a proxy.
    ...(proxy === undefined ? {} : { proxy: { server: proxy, bypass: "<-loopback>" } }),
  });
  context.setDefaultTimeout(45_000);
  const problems: PageProblems = { violations: [], externalRequests: [], errors: [] };
  await context.exposeFunction("rowhouseViolation", (text: string) => problems.violations.push(text));
  await context.addInitScript((preferred) => {
    Object.defineProperty(navigator, "languages", { get: () => preferred });
    document.addEventListener("securitypolicyviolation", (event) => {
      const report = (window as unknown as { rowhouseViolation: (text: string) => void }).rowhouseViolation;
      const source = `${event.sourceFile}:${event.lineNumber}`;
      report(`${event.violatedDirective} ${event.blockedURI} ${source} on ${location.pathname}`);
    });
  }, languages);
  context.on("page", (page) => watch(page, service, problems));
  return { context, problems };
}

function watch(page: Page, service: Service, problems: PageProblems) {
  const internal = [service.baseUrl, "data:", "blob:", "about:"];
  page.on("request", (request) => {
    const url = request.url();
    if (!internal.some((prefix) => url.startsWith(prefix))) problems.externalRequests.push(url);
  });
  page.on("pageerror", (error) => problems.errors.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    // The browser also logs the error responses that a test provokes.
    if (message.text().startsWith("Failed to load resource")) return;
    problems.errors.push(`${page.url()}: ${message.text()}`);
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
