import { type Feed, changes, watch } from "./change.js";
import { type JobOptions, waitForJob } from "./job.js";
import { Table } from "./record.js";
import type { Base, BaseList, BaseSummary, Change, Job, Me, Values } from "./schema.js";
import { type Options, Sender } from "./sender.js";

/** The client of a service, with one credential. */
export class Client extends Sender {
  /** A client with other options, for example one whose writes join a change set. */
  with(options: Options): Client {
    return new Client(this.baseUrl, { ...this.options, ...options });
  }

  /** Says who the credential belongs to, and what it reaches. */
  me(): Promise<Me> {
    return this.send("GET", "/me");
  }

  /** Lists the bases that the credential reaches. */
  async bases(): Promise<BaseSummary[]> {
    return (await this.send<BaseList>("GET", "/bases")).bases;
  }

  /** Reads a base with its tables, fields and views. */
  base(id: string): Promise<Base> {
    return this.send("GET", `/bases/${encodeURIComponent(id)}`);
  }

  /** The records of a table, whose fields are those of `Fields`. Sends nothing. */
  table<Fields extends object = Values>(id: string): Table<Fields> {
    return new Table<Fields>(this, id);
  }

  /** Reads an import or an export. */
  job(id: string): Promise<Job> {
    return this.send("GET", `/jobs/${encodeURIComponent(id)}`);
  }

  /** Waits until a job has ended, and returns it. Throws a JobError if it failed or was cancelled. */
  waitForJob(id: string, options?: JobOptions): Promise<Job> {
    return waitForJob(this, id, options);
  }

  /** Reads the changes up to now, in the order of commit. Each has a cursor from which to go on. */
  changes(baseId: string, feed?: Feed): AsyncGenerator<Change, void, undefined> {
    return changes(this, baseId, feed);
  }

  /**
   * Reads the changes of a base as they are committed, until the loop ends or the signal aborts. It connects again
   * after a lost connection and goes on where it was, so that no change is missing and none comes twice. Throws what
   * connecting again would not help, such as a Problem with the code cursor_expired.
   */
  watch(baseId: string, feed?: Feed): AsyncGenerator<Change, void, undefined> {
    return watch(this, baseId, feed);
  }
}
