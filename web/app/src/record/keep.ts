import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { type Command, nextSeq, type Place, type Refused } from "./command.ts";
import { databaseName } from "./database.ts";

/** A command, or a refused one, as the browser keeps it: whose it is, and which page's. */
export type Kept = Place & { owner: string; page: string; seq: number; command: Command; refused?: Refused };

type Schema = DBSchema & { command: { key: [owner: string, page: string, seq: number]; value: Kept } };

const lockOf = (page: string) => `rowhouse.page.${page}`;
const adoption = "rowhouse.adopt";

/**
 * Keeps the commands of a person in the browser's database until they are done, so that they
 * outlive the page. They are never given to another person. Each belongs to the page on which it
 * was given, which has a lock while it lives; the next page adopts the commands of a page that is
 * gone.
 */
export class Keep {
  private readonly page = crypto.randomUUID();
  private db: Promise<IDBPDatabase<Schema> | undefined> | undefined;
  private waiting = new Map<number, Kept | undefined>();
  private writing: Promise<void> | undefined;
  /** False where the browser keeps nothing. */
  works = true;

  constructor(
    readonly owner: string,
    private name = databaseName,
  ) {}

  /** True if all that was given is kept. */
  get safe(): boolean {
    return this.waiting.size === 0 && this.writing === undefined;
  }

  /** Keeps a command. What it says is read at the next opportunity. */
  put(place: Place, command: Command, refused?: Refused) {
    const { owner, page } = this;
    this.waiting.set(command.seq, { ...place, owner, page, seq: command.seq, command, refused });
    this.soon();
  }

  drop(seq: number) {
    this.waiting.set(seq, undefined);
    this.soon();
  }

  /** Waits until all that was given is kept, or cannot be. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  /** Takes over the commands of this person that pages left which are gone, in their order. */
  async adopt(): Promise<Kept[]> {
    const db = await this.open();
    if (!db) return [];
    return navigator.locks.request(adoption, async () => {
      const { held = [] } = await navigator.locks.query();
      const alive = new Set(held.map(({ name }) => name));
      const transaction = db.transaction("command", "readwrite");
      const all = await transaction.store.getAll(IDBKeyRange.bound([this.owner], [this.owner, []]));
      const left = all.filter(({ page }) => page !== this.page && !alive.has(lockOf(page)));
      const mine = left
        .toSorted((a, b) => a.seq - b.seq)
        .map((kept) => {
          void transaction.store.delete([kept.owner, kept.page, kept.seq]);
          const command = { ...kept.command, seq: nextSeq() };
          const refused = kept.refused && { ...kept.refused, command };
          const next: Kept = { ...kept, page: this.page, seq: command.seq, command, refused };
          void transaction.store.put(next, [next.owner, next.page, next.seq]);
          return next;
        });
      await transaction.done;
      return mine;
    });
  }

  private soon() {
    this.writing ??= Promise.resolve()
      .then(() => this.write())
      .finally(() => {
        this.writing = undefined;
        if (this.waiting.size > 0) this.soon();
      });
  }

  private async write(): Promise<void> {
    const db = await this.open();
    if (!db) {
      this.works = false;
      return this.waiting.clear();
    }
    const list = [...this.waiting];
    this.waiting.clear();
    try {
      const transaction = db.transaction("command", "readwrite");
      for (const [seq, kept] of list) {
        const at: [string, string, number] = [this.owner, this.page, seq];
        if (kept) void transaction.store.put(kept, at).catch(() => undefined);
        else void transaction.store.delete(at).catch(() => undefined);
      }
      await transaction.done;
    } catch {
      // The disk is full, or the browser has closed its database. What is not kept stays on the page,
      // which says so when it is left.
      this.db = Promise.resolve(undefined);
      this.works = false;
    }
  }

  private open(): Promise<IDBPDatabase<Schema> | undefined> {
    this.db ??= this.connect().catch(() => undefined);
    return this.db;
  }

  /** Opens the database and marks the page as alive. Undefined where the browser has neither. */
  private async connect(): Promise<IDBPDatabase<Schema> | undefined> {
    if (typeof indexedDB === "undefined" || !navigator.locks) return undefined;
    await new Promise<void>((locked, failed) => {
      const forever = () => {
        locked();
        return new Promise<void>(() => undefined);
      };
      navigator.locks.request(lockOf(this.page), forever).catch(failed);
    });
    return openDB<Schema>(this.name, 1, { upgrade: (db) => void db.createObjectStore("command") });
  }
}
