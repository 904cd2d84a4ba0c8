import { isPaused } from "./person.ts";
import type { Schemas } from "./type.ts";

/** What a transaction has done to one record, or to one object of the schema. */
export type LiveChange = Schemas["Change"];

const firstWait = 1000; // milliseconds before a stream that has ended is opened again; doubles up to:
const longestWait = 15_000;
const restAfter = 60_000; // milliseconds after which a hidden page closes its stream
const quiet = 300_000; // milliseconds without data after which the connection may be dead
const forgotten = 40_000; // milliseconds without a stream after which nobody knows who is there
const tooOld = 600_000; // milliseconds after which reading everything again costs less than what was missed

/** A page that has the base open, whose it is, and which cell it has. */
export type Present = { person: string; page: string; table?: string; record?: string; field?: string };

/** How far a job is. */
export type JobProgress = Pick<Schemas["Job"], "id" | "kind" | "state" | "baseId" | "tableId" | "done" | "total">;

type Handlers = {
  /** The stream has begun. It sends earlier changes only if it was resumed. */
  onReady: (resumed: boolean) => void;
  onChange: (change: LiveChange) => void;
  /** Other people have the base open, or have moved to other cells. */
  onPresence: (present: Present[]) => void;
  /** A job of the person, or one in the base, has gone on. Events of jobs may be lost. */
  onJob: (job: JobProgress) => void;
  /** The stream could not be opened. It is tried again. */
  onFail: () => void;
  /** The visitor has other rights, and may see another part of the base, or nothing of it. */
  onRights: () => void;
  /** The base is not there any more, and nothing follows. */
  onGone: () => void;
};

/** The part of EventSource that is used. */
export type Events = Pick<EventSource, "addEventListener" | "close" | "readyState">;
type Connect = (address: string) => Events;

const closed = 2; // EventSource.CLOSED: the service has refused the stream

let current: LiveStream | undefined;

/** Reports whether the page receives every change of the open base. */
export const isLive = () => current?.live ?? false;

/**
 * The changes of a base as they happen. The stream is opened again whenever it ends, after the last
 * change that it sent. A hidden page closes it, because browsers allow few connections.
 */
export class LiveStream {
  /** True while every change arrives. */
  live = false;
  private source: Events | undefined;
  private cursor: string | undefined;
  private lastReceived = 0;
  private admitted = false; // no stream has been refused since the last one began
  private wait = firstWait;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private alone: ReturnType<typeof setTimeout> | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private baseId: string,
    private handlers: Handlers,
    private connect: Connect = (address) => new EventSource(address),
  ) {}

  start() {
    // oxlint-disable-next-line typescript/no-this-alias
    current = this;
    document.addEventListener("visibilitychange", this.look);
    window.addEventListener("online", this.reopen);
    this.look();
  }

  stop() {
    if (current === this) current = undefined;
    document.removeEventListener("visibilitychange", this.look);
    window.removeEventListener("online", this.reopen);
    clearTimeout(this.resting);
    this.close();
    clearTimeout(this.alone);
  }

  private look = () => {
    clearTimeout(this.resting);
    if (document.visibilityState === "hidden") this.resting = setTimeout(() => this.close(), restAfter);
    else if (!this.source) this.reopen();
  };

  private reopen = () => {
    if (document.visibilityState === "hidden") return;
    this.wait = firstWait;
    this.open();
  };

  private close() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.source?.close();
    this.source = undefined;
    if (this.live) {
      this.lastReceived = Date.now();
      this.alone = setTimeout(() => this.handlers.onPresence([]), forgotten);
    }
    this.live = false;
  }

  private open() {
    this.close();
    if (isPaused()) return this.again();
    if (Date.now() - this.lastReceived > tooOld) this.cursor = undefined;
    const from = this.cursor;
    const query = from === undefined ? "" : `?cursor=${encodeURIComponent(from)}`;
    const source = this.connect(`/api/v1/bases/${this.baseId}/live${query}`);
    this.source = source;
    const on = (type: string, handle: (event: MessageEvent<string>) => void) =>
      source.addEventListener(type, (event) => {
        if (this.source !== source) return;
        clearTimeout(this.silence);
        this.silence = setTimeout(this.reopen, quiet);
        handle(event as MessageEvent<string>);
      });
    let begun = false;
    on("ready", ({ lastEventId }) => {
      begun = true;
      this.cursor = lastEventId;
      this.live = true;
      this.admitted = true;
      clearTimeout(this.alone);
      this.wait = firstWait;
      this.handlers.onReady(from !== undefined);
    });
    on("change", ({ data, lastEventId }) => {
      this.handlers.onChange(JSON.parse(data) as LiveChange);
      this.cursor = lastEventId;
    });
    on("presence", ({ data }) => this.handlers.onPresence((JSON.parse(data) as { present: Present[] }).present));
    on("job", ({ data }) => this.handlers.onJob(JSON.parse(data) as JobProgress));
    on("end", ({ data }) => {
      const { reason } = JSON.parse(data) as { reason: string };
      // What somebody may see from now on is not a continuation of what they have seen.
      if (reason === "behind" || reason === "rights") this.cursor = undefined;
      this.close();
      if (reason === "gone") return this.handlers.onGone();
      if (reason === "rights") this.handlers.onRights();
      return this.again();
    });
    on("error", () => {
      const refused = source.readyState === closed;
      // The reason of a refusal is unknown. It may be the cursor, or that the base is not theirs any more.
      if (refused) this.cursor = undefined;
      this.close();
      if (refused && this.admitted) this.handlers.onRights();
      this.admitted &&= !refused;
      if (!begun) this.handlers.onFail();
      this.again();
    });
    return undefined;
  }

  private again() {
    clearTimeout(this.timer);
    // Spread the pages of all browsers.
    this.timer = setTimeout(() => this.open(), this.wait * (0.5 + Math.random() / 2));
    this.wait = Math.min(longestWait, this.wait * 2);
  }
}
