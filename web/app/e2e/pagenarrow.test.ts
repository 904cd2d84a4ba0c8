import { testPages } from "./page.ts";

testPages(390);
