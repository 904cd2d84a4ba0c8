import { testPages } from "./page.ts";

testPages(1280);
