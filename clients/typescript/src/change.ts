import { NoResponse } from "./problem.js";
import type { Change } from "./schema.js";
import { type Sender, firstWait, longestWait, retryAfter, sleep } from "./sender.js";

/** The cursor of the start of the history that is kept. */
export const earliest = "earliest";

/** Which changes of a base to read. */
export type Feed = {
  /** Of the last change that was read, or `earliest`. Now, if it is missing. */
  cursor?: string;
  /** ids; all if it is missing */
  tables?: string[];
  /** all if it is missing */
  kinds?: Change["kind"][];
  signal?: AbortSignal;
};

type ChangePage = { changes: Change[]; cursor: string; hasMore: boolean };

async function* changePages(sender: Sender, baseId: string, feed: Feed): AsyncGenerator<ChangePage, void, undefined> {
  const { signal, ...asked } = feed;
  for (let cursor = asked.cursor, more = true; more; ) {
    const query = { ...asked, cursor, limit: 100 };
    const page = await sender.send<ChangePage>("GET", `${basePath(baseId)}/changes`, { query, signal });
    yield page;
    cursor = page.cursor;
    more = page.hasMore;
  }
}

export async function* changes(
  sender: Sender,
  baseId: string,
  feed: Feed = {},
): AsyncGenerator<Change, void, undefined> {
  for await (const page of changePages(sender, baseId, feed)) yield* page.changes;
}

export async function* watch(sender: Sender, baseId: string, feed: Feed = {}): AsyncGenerator<Change, void, undefined> {
  const { tables, kinds, signal } = feed;
  const wanted = (change: Change) =>
    (!tables || (change.table !== null && tables.includes(change.table))) && (!kinds || kinds.includes(change.kind));
  let { cursor } = feed;
  if (cursor === earliest) {
    // which the stream does not know
    for await (const page of changePages(sender, baseId, feed)) {
      yield* page.changes;
      cursor = page.cursor;
    }
  }
  for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
    const before = cursor;
    let after = wait;
    try {
      for await (const { name, data } of events(sender, baseId, cursor, signal)) {
        if (name === "ready") cursor = (JSON.parse(data) as { cursor: string }).cursor;
        if (name !== "change") continue;
        const change = JSON.parse(data) as Change;
        cursor = change.cursor || cursor;
        if (wanted(change)) yield change;
      }
    } catch (error) {
      const again = retryAfter(error, wait);
      if (again === undefined || signal?.aborted) throw error;
      after = again;
    }
    if (cursor !== before) after = wait = firstWait;
    await sleep(after, signal);
  }
}

type Event = { name: string; data: string };

const longestSilence = 60_000; // milliseconds; the service says something every fifteen seconds

/** The events of one connection. An event that is not complete is skipped. */
async function* events(
  sender: Sender,
  baseId: string,
  cursor: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, void, undefined> {
  const ended = new AbortController();
  const response = await sender.open("GET", `${basePath(baseId)}/live`, {
    query: { cursor },
    headers: { Accept: "text/event-stream" },
    once: true,
    signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let text = "";
  let event: Event = { name: "", data: "" };
  try {
    for (;;) {
      silence = setTimeout(() => ended.abort(), longestSilence);
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal?.aborted ? error : new NoResponse("the stream broke off", { cause: error });
      });
      clearTimeout(silence);
      if (done) return;
      const lines = (text + value).split("\n");
      text = lines.pop() ?? "";
      for (const raw of lines) {
        const line = raw.replace(/\r$/, "");
        const [, member, data = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        if (member === "event") event.name = data;
        else if (member === "data") event.data += data;
        else if (line === "" && event.data !== "") {
          yield event;
          event = { name: "", data: "" };
        }
      }
    }
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}

const basePath = (id: string) => `/bases/${encodeURIComponent(id)}`;
