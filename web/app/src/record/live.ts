import { useEffect } from "react";
import { cache } from "../api/cache.ts";
import { isOwn } from "../api/client.ts";
import { invalidate } from "../api/invalidation.ts";
import { takeJobProgress } from "../api/jobprogress.ts";
import { type Key, key } from "../api/key.ts";
import { type LiveChange, LiveStream } from "../api/live.ts";
import { baseQuery, recordQuery } from "../api/query.ts";
import { viewAs } from "../api/viewas.ts";
import { tableOf } from "../access/base.ts";
import { tablesReading } from "./dependence.ts";
import { type Received, received, isKnown, patched } from "./received.ts";
import { Pace } from "./pace.ts";
import { dropOld } from "./prefetch.ts";
import { presenceOf } from "./presence.ts";
import { refreshRows } from "./refresh.ts";
import { passOn, writerOf } from "./adoption.ts";

const gather = 15; // milliseconds in which changes are collected
const pollEvery = 20_000; // milliseconds between two looks at what others changed while no stream can be opened
const recheck = 3000; // milliseconds after which what was read while the stream began is read again

/** Reports whether a change of the schema makes other values of those that were there. */
const revalues = ({ object, before, after }: LiveChange) =>
  object === "field" && before !== null && after !== null && ("type" in after || "config" in after);

/**
 * Makes the page follow changes of a base: rows and open records take the values, and what depends
 * on them otherwise is read again. The page skips its own changes.
 */
export class Follower {
  private waiting: LiveChange[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private old = new Map<string, Key>();
  private pace = new Pace(() => {
    const keys = [...this.old.values()];
    this.old.clear();
    // What cannot be read now is read when it is next shown.
    invalidate(keys).catch(() => undefined);
  });

  private computed = new Set<string>(); // tables whose computed values are old
  private computing = new Pace(() => {
    const tables = new Set(this.computed);
    this.computed.clear();
    refreshRows(tables);
  });

  constructor(private baseId: string) {}

  /** Takes a change. Changes arrive in order, and changes of one moment are taken together. */
  take = (change: LiveChange) => {
    this.waiting.push(change);
    this.timer ??= setTimeout(this.apply, gather);
  };

  stop() {
    clearTimeout(this.timer);
    this.pace.stop();
    this.computing.stop();
  }

  /** Reads again what is most in view. */
  check = () => {
    refreshRows();
    this.outdate([key.base(this.baseId), key.record()]);
  };

  /** Reads everything of the base again. */
  renew = () => {
    const { baseId } = this;
    refreshRows();
    this.outdate([
      key.base(baseId),
      key.bases,
      key.record(),
      key.records(),
      key.history(),
      key.changes(baseId),
      key.trash(baseId),
    ]);
  };

  /** Reads everything again that the person may see, which is another part of the base now. */
  reveal = () => {
    this.renew();
    this.outdate([key.me, key.orgs, key.everyMember, key.found(this.baseId), key.comments(), key.access()]);
  };

  /** Soon reads again what is shown of the keys. */
  outdate(keys: Key[]) {
    for (const one of keys) this.old.set(JSON.stringify(one), one);
    if (this.old.size > 0) this.pace.ask();
  }

  private apply = () => {
    this.timer = undefined;
    const changes = this.waiting;
    this.waiting = [];
    const byTable = new Map<string, Received[]>();
    const keys: Key[] = [key.changes(this.baseId)];
    let values = false;
    for (const change of changes) {
      const own = isOwn(change.changeSet);
      if (change.kind === "commented") {
        // Nothing in the record has changed. A mention may be in the inbox.
        if (!own) keys.push(key.comments(change.record), key.commentCounts(), key.inbox);
        continue;
      }
      const one = received(change, own);
      if (!one) {
        if (own) continue;
        keys.push(key.base(this.baseId), key.trash(this.baseId));
        if (change.object === "base") keys.push(key.bases);
        if (revalues(change)) keys.push(key.record());
        values ||= revalues(change);
      } else if (one.table) {
        const list = byTable.get(one.table) ?? [];
        list.push(one);
        byTable.set(one.table, list);
        keys.push(...this.takeRecord(one, one.table));
      }
    }
    for (const [tableId, list] of byTable) {
      dropOld(tableId);
      passOn(tableId, list);
    }
    if (values) refreshRows();
    if (this.readAcrossLinks(new Set(byTable.keys()))) keys.push(key.record());
    this.outdate(keys);
  };

  /**
   * Reads rows again whose values are computed from records of some tables. Returns whether there
   * are any.
   */
  private readAcrossLinks(tables: ReadonlySet<string>): boolean {
    const base = cache.getQueryData(baseQuery(this.baseId).queryKey);
    const readers = tablesReading(base?.tables ?? [], tables);
    for (const tableId of readers) {
      dropOld(tableId);
      this.computed.add(tableId);
    }
    if (readers.size > 0) this.computing.ask();
    return readers.size > 0;
  }

  /** Gives a record that is open its values. Returns what else the change makes old. */
  private takeRecord(change: Received, tableId: string): Key[] {
    const { queryKey } = recordQuery(change.record);
    const open = cache.getQueryData(queryKey);
    const keys: Key[] = cache.isFetching({ queryKey }) > 0 ? [queryKey] : []; // it may get an old answer
    if (open && !isKnown(open, change)) {
      const next = patched(open, change, writerOf(tableId).names);
      if (next) cache.setQueryData(queryKey, next);
      if (!next || writerOf(tableId).names.computes) keys.push(queryKey);
    }
    if (change.own) return keys;
    keys.push(key.history(change.record));
    if (change.kind === "deleted" || change.kind === "restored") keys.push(key.trash(this.baseId));
    if (change.kind !== "updated" || this.renames(change, tableId)) keys.push(key.records(tableId));
    return keys;
  }

  /** Reports whether a change may give a record another name where it is linked. */
  private renames(change: Received, tableId: string): boolean {
    const base = cache.getQueryData(baseQuery(this.baseId).queryKey);
    const primary = base && tableOf(base, tableId)?.fields.find((field) => field.isPrimary);
    return !primary || Object.values(change.fieldIds).includes(primary.id);
  }
}

/** Follows the changes of a base while the page shows it. */
export function useLive(baseId: string | undefined) {
  useEffect(() => {
    // A stream has what its own person sees.
    if (baseId === undefined || typeof EventSource === "undefined" || viewAs()) return undefined;
    const follower = new Follower(baseId);
    const presence = presenceOf(baseId);
    let begun = false;
    let checked = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mine = new LiveStream(baseId, {
      onReady: (resumed) => {
        clearTimeout(timer);
        // The page was read while the stream began for the first time.
        if (!begun) timer = setTimeout(follower.check, recheck);
        else if (!resumed) follower.renew();
        if (begun) follower.outdate([key.jobs]); // their events are not sent again
        begun = true;
      },
      onChange: follower.take,
      onPresence: (present) => presence.take(present),
      onJob: takeJobProgress,
      onFail: () => {
        if (Date.now() - checked < pollEvery) return;
        checked = Date.now();
        follower.check();
      },
      onRights: follower.reveal,
      onGone: () => follower.outdate([key.bases, key.base(baseId)]),
    });
    mine.start();
    presence.start();
    return () => {
      presence.stop();
      clearTimeout(timer);
      mine.stop();
      follower.stop();
    };
  }, [baseId]);
}
