import { Problem } from "../api/problem.ts";

/** A message to the person, over whatever page is shown. */
export type Message = { title: string; detail?: string; failed: boolean; action?: Action; key?: string };

/** What the person can do about a message. */
export type Action = { label: string; run: () => void };

let reader: ((message: Message) => void) | undefined;
let waiting: Message[] = [];
const listeners = new Set<() => void>();

function put(message: Message) {
  if (reader) return reader(message);
  waiting.push(message);
  for (const listener of listeners) listener();
  return undefined;
}

/** Calls the listener when a message waits that nobody shows yet. Returns the way to stop. */
export function onMessage(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Hands all messages to a reader, those first that wait. Returns the way to stop. */
export function deliverTo(read: (message: Message) => void): () => void {
  reader = read;
  for (const message of waiting) read(message);
  waiting = [];
  return () => {
    if (reader === read) reader = undefined;
  };
}

/** Says that something was done. */
export function notify(title: string, detail?: string, action?: Action) {
  put({ title, detail, failed: false, action });
}

/** Says why something is not done. While it is shown, it is not said again. */
export function refuse(title: string, detail?: string) {
  put({ title, detail, failed: true, key: title });
}

/** Says what failed, and what can be done about it. While it is shown, it is not said again. */
export function offer(title: string, detail: string, action: Action) {
  put({ title, detail, failed: true, action, key: title });
}

/** Says what went wrong; it stays longer, and is read out at once. */
export function complain(error: unknown, title?: string) {
  const problem = Problem.from(error);
  const heading = title ?? problem.title;
  const detail = problem.items.length > 1 ? problem.items.map((item) => item.message).join(" ") : problem.message;
  put({ title: heading, detail: detail === heading ? undefined : detail, failed: true });
}
