import type { Browser, Page } from "playwright-core";

/** The browser, signed in, and the table that is measured. */
export type Target = { browser: Browser; page: Page; path: string; tableId: string };
