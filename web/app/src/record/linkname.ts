import { useEffect, useMemo, useSyncExternalStore } from "react";
import { onInvalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { isLive } from "../api/live.ts";
import { readPage } from "../api/query.ts";
import type { Base, Field, Row } from "../api/type.ts";
import { tableOf } from "../access/base.ts";
import type { Context } from "../field/context.ts";
import { kindOf } from "../field/kind/index.ts";
import { linkedTable } from "../field/linked.ts";
import { listOf } from "../field/list.ts";
import { format } from "../field/value.ts";
import { english, type Locale, useLocale } from "../locale/locale.ts";
import { isUnsaved } from "./command.ts";

const gather = 30; // milliseconds in which wishes are collected into one request
const maxOwners = 100; // rows whose links one request asks for
const good = 30_000; // milliseconds after which a name is requested again when it is wanted
const maxNames = 10_000; // that are kept; those that nobody has wanted for longest are let go
const maxAsked = 5000; // notes of what was asked for, above which the old ones are let go
const maxKept = 300; // rows of a field whose links are asked for again at once when names may have changed

type Name = { name: string; asked: number };
type Clock = () => number;

/**
 * The names of linked records. Values of link fields are ids; this reads what they are called, for
 * many rows at once, by asking the linked table for the records whose other side points at those
 * rows. A name that is old, or whose table was written to, is shown until the new one has come.
 */
export class LinkNames {
  private names = new Map<string, Name>();
  private wished = new Map<string, { field: Field; owners: Set<string> }>();
  // the latest rows that were asked about, by field
  private wanted = new Map<string, { field: Field; owners: Set<string> }>();
  // when "field/owner/ids" was asked for, so that a dead link is not asked for all the time
  private asked = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private context: Context;
  private listeners = new Set<() => void>();
  version = 0;

  constructor(
    private base: Base,
    private read = readPage,
    private now: Clock = Date.now,
    locale: Locale = english,
  ) {
    this.context = { locale, people: [] };
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Takes the schema as it is now. */
  use(base: Base) {
    this.base = base;
  }

  get(recordId: string): string | undefined {
    return this.names.get(recordId)?.name;
  }

  /** Keeps names that are known from elsewhere, as from the list that a record was picked from. */
  learn(records: { id: string; name: string }[]) {
    let news = false;
    for (const { id, name } of records) {
      if (name === "") continue;
      if (this.names.get(id)?.name !== name) news = true;
      this.names.delete(id);
      this.names.set(id, { name, asked: this.now() });
    }
    this.letGo();
    if (news) this.changed();
  }

  /**
   * Asks for the names of the records that rows link to, as far as they are not known or may have
   * changed.
   */
  want(rows: Row[], fields: Field[]) {
    const oldest = this.now() - good;
    const fresh = (asked: number | undefined) => asked !== undefined && asked > oldest;
    for (const field of fields) {
      if (kindOf(field.type).linkedTable?.(field) === undefined) continue;
      for (const row of rows) {
        if (isUnsaved(row.id)) continue; // nothing links to it yet
        const ids = listOf(row.fields[field.name]);
        if (ids.length > 0) this.remember(field, row.id);
        for (const id of ids) this.touch(id);
        const missing = ids.filter((id) => !fresh(this.names.get(id)?.asked));
        const key = `${field.id}/${row.id}/${missing.join()}`;
        if (missing.length === 0 || fresh(this.asked.get(key))) continue;
        this.asked.set(key, this.now());
        this.wish(field, row.id);
      }
    }
  }

  /**
   * Reads the names of a table's records again where they are shown, because they may have changed;
   * without a table, all names.
   */
  renew(tableId?: string) {
    const concerned = [...this.wanted.values()].filter(
      ({ field }) => tableId === undefined || linkedTable(field) === tableId,
    );
    if (concerned.length === 0) return;
    for (const name of this.names.values()) name.asked = 0;
    this.asked.clear();
    for (const { field, owners } of concerned) for (const owner of owners) this.wish(field, owner);
  }

  /** Takes note that a name is wanted. */
  private touch(id: string) {
    const name = this.names.get(id);
    if (!name) return;
    this.names.delete(id);
    this.names.set(id, name);
  }

  private letGo() {
    for (const id of this.names.keys()) {
      if (this.names.size <= maxNames) break;
      this.names.delete(id);
    }
    if (this.asked.size <= maxAsked) return;
    const oldest = this.now() - good;
    for (const [key, asked] of this.asked) if (asked <= oldest) this.asked.delete(key);
  }

  private remember(field: Field, owner: string) {
    const { owners } = this.wanted.get(field.id) ?? { owners: new Set<string>() };
    owners.delete(owner);
    owners.add(owner);
    const [oldest] = owners;
    if (owners.size > maxKept && oldest !== undefined) owners.delete(oldest);
    this.wanted.set(field.id, { field, owners });
  }

  private wish(field: Field, owner: string) {
    const wish = this.wished.get(field.id) ?? { field, owners: new Set<string>() };
    wish.owners.add(owner);
    this.wished.set(field.id, wish);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const wishes = [...this.wished.values()];
      this.wished.clear();
      for (const one of wishes) void this.load(one.field, [...one.owners]);
    }, gather);
  }

  private async load(field: Field, owners: string[]) {
    const table = tableOf(this.base, linkedTable(field));
    const inverse = field.config?.inverseFieldId;
    const primary = table?.fields.find((one) => one.isPrimary);
    if (!table || !inverse || !primary) return;
    for (let start = 0; start < owners.length; start += maxOwners) {
      const filters = [{ fieldId: inverse, op: "has_any", value: owners.slice(start, start + maxOwners) }];
      try {
        for (let offset = 0; ;) {
          const page = await this.read(table.id, { filters, offset, limit: 100 });
          this.learn(
            page.records.map((row) => ({ id: row.id, name: format(row.fields[primary.name], primary, this.context) })),
          );
          if (!page.hasMore) break;
          offset += page.records.length;
        }
      } catch {
        // Names are a comfort: without them the links show as untitled until they are next asked
        // for.
        for (const owner of owners)
          for (const key of this.asked.keys()) if (key.startsWith(`${field.id}/${owner}/`)) this.asked.delete(key);
      }
    }
  }

  private changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}

/** The names of a base's linked records, and a number that rises when there are new ones. */
export function useLinkNames(base: Base | undefined): { names: LinkNames | undefined; version: number } {
  const id = base?.id;
  const locale = useLocale();
  // oxlint-disable-next-line react/exhaustive-deps -- one store for a base, however often its schema is read
  const names = useMemo(() => (base ? new LinkNames(base, undefined, undefined, locale) : undefined), [id, locale]);
  useEffect(() => {
    if (base) names?.use(base);
  }, [base, names]);
  useEffect(() => {
    if (!names) return undefined;
    const [records] = key.records();
    const stop = onInvalidate((keys) => {
      for (const [first, tableId] of keys) if (first === records) names.renew(tableId as string | undefined);
    });
    // Others rename records too: the names are read again when somebody comes back to a page
    // without a live stream.
    const look = () => !isLive() && document.visibilityState === "visible" && names.renew();
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      stop();
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [names]);
  const version = useSyncExternalStore(
    (listener) => names?.subscribe(listener) ?? (() => undefined),
    () => names?.version ?? 0,
  );
  return { names, version };
}
