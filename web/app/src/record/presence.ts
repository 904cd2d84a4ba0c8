import { useSyncExternalStore } from "react";
import { setPresence } from "../api/change.ts";
import type { Present } from "../api/live.ts";

/** A cell that somebody has, by ids. */
export type Cell = { table?: string; record?: string; field?: string };

type Say = (baseId: string, body: Cell & { page: string; left?: boolean }) => Promise<{ expiresIn: number }>;

const pause = 250; // milliseconds between two tellings of where this page is
const retry = 60_000; // milliseconds until a service without presence is asked again

const say: Say = (baseId, body) => setPresence({ baseId, body }, { keepalive: body.left });

/**
 * Who else has a base open, and where, as the service reports; and where this page is, as it
 * reports to the service. A hidden page is not present.
 */
export class Presence {
  private readonly page = crypto.randomUUID().slice(0, 8); // enough among the pages of one person
  private others: readonly Present[] = [];
  private listeners = new Set<() => void>();
  private cell: Cell = {};
  private sentAt = 0; // when the service last received it
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;

  constructor(
    private baseId: string,
    private send: Say = say,
  ) {}

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** The pages that others have open, and this person's other ones; the same list until it changes. */
  present = (): readonly Present[] => this.others;

  /** Takes who is there, as the service reports. */
  take(list: readonly Present[]) {
    const others = list.filter(({ page }) => page !== this.page);
    // The service reports this page's own moves too.
    if (JSON.stringify(others) === JSON.stringify(this.others)) return;
    this.others = others;
    for (const listener of this.listeners) listener();
  }

  start() {
    if (this.running) return;
    this.running = true;
    document.addEventListener("visibilitychange", this.look);
    window.addEventListener("pagehide", this.leave);
    window.addEventListener("pageshow", this.look);
    this.look();
  }

  stop() {
    if (!this.running) return;
    document.removeEventListener("visibilitychange", this.look);
    window.removeEventListener("pagehide", this.leave);
    window.removeEventListener("pageshow", this.look);
    this.leave();
    this.running = false;
    this.take([]);
  }

  /** Says which cell this page has. */
  at(cell: Cell) {
    if (JSON.stringify(cell) === JSON.stringify(this.cell)) return;
    this.cell = cell;
    if (this.running && document.visibilityState === "visible") this.soon(pause - (Date.now() - this.sentAt));
  }

  private look = () => {
    if (document.visibilityState === "visible") this.soon(0);
    else this.leave();
  };

  private leave = () => {
    clearTimeout(this.timer);
    if (this.sentAt === 0) return;
    this.sentAt = 0;
    // The entry ends by itself if this does not arrive.
    this.send(this.baseId, { page: this.page, left: true }).catch(() => undefined);
  };

  private soon(wait: number) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.announce(), Math.max(0, wait));
  }

  private async announce() {
    this.sentAt = Date.now();
    const { cell } = this;
    let next = retry;
    try {
      const { expiresIn } = await this.send(this.baseId, { page: this.page, ...cell });
      if (expiresIn > 0) next = (expiresIn * 1000) / 2;
    } catch {
      // Nobody learns where this page is. The cell may be of a table that is gone.
    }
    const here = this.running && this.sentAt > 0;
    if (here && cell === this.cell) this.soon(next);
  }
}

const all = new Map<string, Presence>();

/** The presence of a base on this page. */
export function presenceOf(baseId: string): Presence {
  let presence = all.get(baseId);
  if (!presence) {
    presence = new Presence(baseId);
    all.set(baseId, presence);
  }
  return presence;
}

/** Who else has a base open. */
export function usePresent(baseId: string): readonly Present[] {
  const presence = presenceOf(baseId);
  return useSyncExternalStore(presence.subscribe, presence.present);
}
