/**
 * The client of a Rowhouse service. Requests that failed on their way are sent again, with one Idempotency-Key; pages
 * are an iterator; refusals are a Problem with a code; the changes of a base are an iterator that resumes. An
 * operation without a method here is one call of Client.send.
 */
export { Client } from "./client.js";
export { type Feed, earliest } from "./change.js";
export { JobError, type JobOptions } from "./job.js";
export { NoResponse, Problem, hasCode } from "./problem.js";
export {
  type ChangeOptions,
  type FieldName,
  type Query,
  Table,
  type TypedRecord,
  type Writable,
  type WriteOptions,
  type WrittenRecords,
} from "./record.js";
export type { Method, Options, Request } from "./sender.js";
export type * as schema from "./schema.js";
