import { testPages } from "./page.ts";

testPages(true);
