import { useEffect, useMemo, useSyncExternalStore } from "react";
import { readPage } from "../api/query.ts";
import type { Base, Field, Row } from "../api/type.ts";
import { tableOf } from "../base/context.ts";
import { listOf } from "../field/value.ts";

const gather = 30; // milliseconds in which wishes are collected into one request
const mostOwners = 100; // rows whose links one request asks for

/**
 * The names of linked records. Values of link fields are ids; this reads what they are called, for many rows at once, by asking
 * the linked table for the records whose other side points at those rows.
 */
export class NameStore {
  private names = new Map<string, string>();
  private wished = new Map<string, { field: Field; owners: Set<string> }>();
  private asked = new Set<string>(); // "field/owner/ids" that were asked for, so that a dead link is asked for once
  private timer: ReturnType<typeof setTimeout> | undefined;
  private listeners = new Set<() => void>();
  version = 0;

  constructor(
    private base: Base,
    private read = readPage,
  ) {}

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Takes the schema as it is now. */
  use(base: Base) {
    this.base = base;
  }

  get(recordId: string): string | undefined {
    return this.names.get(recordId);
  }

  /** Keeps names that are known from elsewhere, as from the list that a record was picked from. */
  learn(records: { id: string; name: string }[]) {
    let news = false;
    for (const { id, name } of records) {
      if (name === "" || this.names.get(id) === name) continue;
      this.names.set(id, name);
      news = true;
    }
    if (news) this.changed();
  }

  /** Asks for the names of the records that rows link to, as far as they are not known. */
  want(rows: Row[], fields: Field[]) {
    for (const field of fields) {
      if (field.type !== "link") continue;
      for (const row of rows) {
        const missing = listOf(row.fields[field.name]).filter((id) => !this.names.has(id));
        const key = `${field.id}/${row.id}/${missing.join()}`;
        if (missing.length === 0 || this.asked.has(key)) continue;
        this.asked.add(key);
        const wish = this.wished.get(field.id) ?? { field, owners: new Set<string>() };
        wish.owners.add(row.id);
        this.wished.set(field.id, wish);
      }
    }
    if (this.wished.size > 0 && this.timer === undefined) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        const wishes = [...this.wished.values()];
        this.wished.clear();
        for (const { field, owners } of wishes) void this.load(field, [...owners]);
      }, gather);
    }
  }

  private async load(field: Field, owners: string[]) {
    const table = tableOf(this.base, field.config?.linkedTableId ?? field.linkedTableId);
    const inverse = field.config?.inverseFieldId;
    const primary = table?.fields.find((one) => one.isPrimary);
    if (!table || !inverse || !primary) return;
    for (let start = 0; start < owners.length; start += mostOwners) {
      const filters = [{ fieldId: inverse, op: "has_any", value: owners.slice(start, start + mostOwners) }];
      try {
        for (let offset = 0; ; offset += 100) {
          const page = await this.read(table.id, { filters, offset, limit: 100 });
          this.learn(page.records.map((row) => ({ id: row.id, name: String(row.fields[primary.name] ?? "") })));
          if (!page.hasMore) break;
        }
      } catch {
        // Names are a comfort: without them the links show as untitled until they are next asked for.
        for (const owner of owners) for (const key of this.asked) if (key.startsWith(`${field.id}/${owner}/`)) this.asked.delete(key);
      }
    }
  }

  private changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}

/** The names of a base's linked records, and a number that rises when there are new ones. */
export function useNames(base: Base | undefined): { names: NameStore | undefined; version: number } {
  const id = base?.id;
  // oxlint-disable-next-line react/exhaustive-deps -- one store for a base, however often its schema is read
  const names = useMemo(() => (base ? new NameStore(base) : undefined), [id]);
  useEffect(() => {
    if (base) names?.use(base);
  }, [base, names]);
  const version = useSyncExternalStore(
    (listener) => names?.subscribe(listener) ?? (() => undefined),
    () => names?.version ?? 0,
  );
  return { names, version };
}
