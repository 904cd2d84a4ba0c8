import { Problem } from "../api/problem.ts";
import type { Field } from "../api/type.ts";
import type { Command, Refused } from "./command.ts";
import type { Writer } from "./writer.ts";

const firstWait = 1000; // milliseconds before the fields are requested again; doubles up to:
const longestWait = 30_000;

/** Waits, or until the browser reports a connection. */
const pause = (wait: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, wait);
    window.addEventListener("online", end);
  });

/**
 * Makes a writer continue what a closed page left. Requests name fields, so nothing is sent before
 * the names are known. If the fields may not be read, or are gone with their base, the service says
 * so of each command.
 */
export async function goOn(
  writer: Writer,
  left: readonly { command: Command; refused?: Refused }[],
  read: () => Promise<Field[]>,
): Promise<void> {
  writer.readWith(read);
  for (let wait = firstWait; !writer.names.known; wait = Math.min(longestWait, wait * 2)) {
    try {
      await writer.learn();
      break;
    } catch (error) {
      if ([403, 404].includes(Problem.from(error).status)) break;
      await pause(wait);
    }
  }
  writer.adopt(left);
}
