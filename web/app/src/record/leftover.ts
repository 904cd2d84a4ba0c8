import { onBound } from "../api/person.ts";
import { mayHold } from "./database.ts";

const patience = 600; // milliseconds until a page has shown what it was opened for

/** Loads what adopts the commands of earlier pages, if there may be any. */
async function look(): Promise<void> {
  try {
    if (await mayHold()) await import("./adoption.ts");
  } catch {
    // Without the code, what was left stays where it is, for the next page.
  }
}

/** Goes on with what a person left on pages that are gone, whatever page is opened next. */
export function followLeftovers() {
  onBound(() => setTimeout(() => void look(), patience));
}
