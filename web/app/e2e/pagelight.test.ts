import { testPages } from "./page.ts";

testPages(false);
