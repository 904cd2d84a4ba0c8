import { type Method, send } from "./client.ts";
import type { Batch } from "./invalidation.ts";
import type { Address, Input, OperationName, Result } from "./operationtype.ts";
import { Problem } from "./problem.ts";

export type Options = {
  signal?: AbortSignal;
  /** Requests with the same key are done once. */
  idempotencyKey?: string;
  /** Requests with the same name are one change set, which is undone as a whole. */
  changeSet?: string;
  /** The version that the record must have. */
  ifMatch?: number;
  /**
   * Awaited after a change and before anything is read again, such as when the page has to be left
   * first.
   */
  beforeRefresh?: () => unknown;
  /** Collects what a change makes out of date, instead of reading it again at once. */
  batch?: Batch;
  /** Sent also when the page is left. */
  keepalive?: boolean;
  /** Sent also while requests are paused (see person.ts). */
  whilePaused?: boolean;
};

export type Call<Name extends OperationName> =
  Record<never, never> extends Input<Name>
    ? (input?: Input<Name>, options?: Options) => Promise<Result<Name>>
    : (input: Input<Name>, options?: Options) => Promise<Result<Name>>;

/** Reads again what an operation with this input makes out of date. */
export type Refresh = (input: Record<string, unknown>, batch: Batch | undefined) => Promise<void>;

const conflict = [404, 409, 412]; // statuses that mean that the page shows outdated data

/** One operation of the service as a function, by the types of its name. */
export function operation<Name extends OperationName>(address: Address<Name>, refresh?: Refresh): Call<Name> {
  const [method, path] = address as [Method, string];
  const call = async (input: Record<string, unknown> = {}, options: Options = {}) => {
    const { body, query, ...parameters } = input;
    const { idempotencyKey, changeSet, ifMatch, beforeRefresh, batch, signal, whilePaused, keepalive } = options;
    const headers: Record<string, string> = {};
    if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
    if (changeSet !== undefined) headers["Change-Set"] = changeSet;
    if (ifMatch !== undefined) headers["If-Match"] = `"${ifMatch}"`;
    const params = { path: parameters, query: (query ?? {}) as Record<string, unknown> };
    let answer: unknown;
    try {
      answer = await send(method, path, { params, body, headers, signal, whilePaused, keepalive });
    } catch (error) {
      if (error instanceof Problem && conflict.includes(error.status)) void refresh?.(input, batch);
      throw error;
    }
    await beforeRefresh?.();
    await refresh?.(input, batch);
    return answer;
  };
  return call as unknown as Call<Name>;
}
