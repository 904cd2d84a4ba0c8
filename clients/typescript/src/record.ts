import type { Filters, Sorts } from "./schema.js";
import type { Request, Sender } from "./sender.js";

/** A record, with its fields by their names. */
export type TypedRecord<Fields extends object> = {
  id: string;
  fields: Fields;
  version?: number;
  createdTime?: string;
};

/** What a write did. `created` and `updated` have ids, and are there after an upsert. */
export type WrittenRecords<Fields extends object> = {
  records: TypedRecord<Fields>[];
  created?: string[];
  updated?: string[];
  changeSet: string;
};

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Values to write: some of the fields, without those that the service computes, which are readonly. */
export type Writable<Fields extends object> = {
  -readonly [Name in keyof Fields as Same<Pick<Fields, Name>, Readonly<Pick<Fields, Name>>> extends true
    ? never
    : Name]?: Fields[Name] | null;
};

/** The name of a field. */
export type FieldName<Fields extends object> = keyof Fields & string;

/** Which records of a table to read, in what order, and what of them. */
export type Query<Fields extends object> = {
  filters?: Filters;
  sorts?: Sorts;
  search?: string;
  /** an id */
  view?: string;
  /** names; all if it is missing */
  fields?: FieldName<Fields>[];
  /** a moment (RFC 3339) or the id of a change set */
  asOf?: string;
  /** of all pages together; all if it is missing */
  limit?: number;
  signal?: AbortSignal;
};

export type WriteOptions<Fields extends object> = {
  /** 1 to 3 fields; a record with the same values is updated */
  upsertOn?: FieldName<Fields>[];
  /** converts values of other types, and adds options of selects */
  typecast?: boolean;
  signal?: AbortSignal;
};

export type ChangeOptions = {
  /** that the record must still have; otherwise the change is a Problem with the code version_changed */
  version?: number | undefined;
  signal?: AbortSignal;
};

const largestPage = 100;

type Page<Fields extends object> = { records: TypedRecord<Fields>[]; hasMore: boolean; cursor?: string };

/** The records of one table. */
export class Table<Fields extends object> {
  readonly #sender: Sender;
  readonly #path: string;

  constructor(
    sender: Sender,
    readonly id: string,
  ) {
    this.#sender = sender;
    this.#path = `/tables/${encodeURIComponent(id)}/records`;
  }

  /** Reads records page by page, the next page while the caller works with the last one. */
  async *records(query: Query<Fields> = {}): AsyncGenerator<TypedRecord<Fields>, void, undefined> {
    const { limit = Infinity, signal, ...asked } = query;
    const ended = new AbortController();
    const signals = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    let left = limit;
    const fetchPage = (cursor?: string) => {
      const size = Math.min(left, largestPage);
      left -= size;
      const request: Request = { query: { ...asked, limit: size, cursor }, signal: signals };
      const page = this.#sender.send<Page<Fields>>("GET", this.#path, request);
      page.catch(() => {}); // it is thrown when it is awaited, or was not wanted any more
      return page;
    };
    let coming = left > 0 ? fetchPage() : undefined;
    try {
      while (coming) {
        const page: Page<Fields> = await coming;
        coming = page.hasMore && left > 0 ? fetchPage(page.cursor) : undefined;
        yield* page.records;
      }
    } finally {
      ended.abort();
    }
  }

  /** Reads one record. */
  get(id: string): Promise<TypedRecord<Fields>> {
    return this.#sender.send("GET", recordPath(id));
  }

  /**
   * Writes up to 100 records, all or none. An upsert that is repeated after a lost response may count as updated what
   * the lost attempt has created.
   */
  create(records: Writable<Fields>[], options: WriteOptions<Fields> = {}): Promise<WrittenRecords<Fields>> {
    const { signal, ...rest } = options;
    return this.#sender.send("POST", this.#path, {
      body: { records: records.map((fields) => ({ fields })), ...rest },
      idempotent: (rest.upsertOn ?? []).length > 0,
      signal,
    });
  }

  /** Merges values into a record; null clears a field. */
  update(id: string, fields: Writable<Fields>, options: ChangeOptions = {}): Promise<TypedRecord<Fields>> {
    return this.#sender.send("PATCH", recordPath(id), { body: { fields }, ...options });
  }

  /** Moves a record to the trash. */
  async delete(id: string, options: ChangeOptions = {}): Promise<void> {
    await this.#sender.send("DELETE", recordPath(id), options);
  }
}

const recordPath = (id: string) => `/records/${encodeURIComponent(id)}`;
