import { en } from "./en/index.ts";

/** Every text of the application. A translation is a value of this type, chosen here. */
export type Catalogue = typeof en;

export const text: Catalogue = en;
