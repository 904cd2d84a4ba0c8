import { NoResponse, Problem, readProblem } from "./problem.js";

export type Options = {
  /**
   * An API key or an access token, or a function that is asked for it before each request. Without one, a page of the
   * service itself sends its session.
   */
  token?: string | (() => string | Promise<string>);
  /** Joins all writes to one change set: a name, or the id of one that the credential began. */
  changeSet?: string;
  /** How often a request is sent at most; 6 is within about ten seconds. */
  attempts?: number;
  /** What the audit log shows. Browsers have a name of their own. */
  userAgent?: string;
  /** Sends the requests in place of the global fetch. */
  fetch?: typeof fetch;
};

export type Request = {
  /** A list, such as filters, is JSON. What is undefined is left out. */
  query?: { [name: string]: unknown };
  /** Sent as JSON, if it is not undefined. */
  body?: unknown;
  headers?: { [name: string]: string };
  /** The version that the record must still have (If-Match). */
  version?: number | undefined;
  /** Names a POST. Without it each call has a key of its own, so that a repetition does nothing twice. */
  idempotencyKey?: string;
  /** A POST that does the same when it is repeated, such as an upsert, and needs no key. */
  idempotent?: boolean;
  /** Sends the request a single time, whatever happens. */
  once?: boolean;
  signal?: AbortSignal | undefined;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const firstWait = 200; // milliseconds
export const longestWait = 30_000;

/** Sends the requests of one credential. */
export class Sender {
  protected readonly baseUrl: string;
  protected readonly options: Options;

  /** Of the service at baseUrl, such as https://rowhouse.example.com. */
  constructor(baseUrl: string, options: Options = {}) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.options = options;
  }

  /**
   * Sends a request and returns the JSON of the response. `path` is below /api/v1, such as /me.
   *
   * It sends the request again after a lost connection, 502, 503, 504 and 429, and after conflicts with other writes:
   * as long as the Retry-After says or a growing while, and never if a repetition could do something twice. Throws a
   * Problem if the service refused the request, and NoResponse if there was no response to the last attempt.
   */
  async send<Out = unknown>(method: Method, path: string, request: Request = {}): Promise<Out> {
    const text = await this.#repeat(method, path, request, (response) => response.text());
    return (text === "" ? undefined : JSON.parse(text)) as Out;
  }

  /** `send` for a response that the caller reads. One that breaks off meanwhile is not asked for again. */
  open(method: Method, path: string, request: Request = {}): Promise<Response> {
    return this.#repeat(method, path, request, (response) => response);
  }

  async #repeat<Out>(
    method: Method,
    path: string,
    request: Request,
    receive: (response: Response) => Out | Promise<Out>,
  ): Promise<Out> {
    const headers: { [name: string]: string } = { Accept: "application/json", ...request.headers };
    const init: RequestInit = { method, headers, signal: request.signal ?? null };
    if (request.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(request.body);
    }
    if (method === "POST" && !request.idempotent) headers["Idempotency-Key"] = request.idempotencyKey ?? newKey();
    if (request.version !== undefined) headers["If-Match"] = `"${request.version}"`;
    const { changeSet, userAgent, attempts = 6 } = this.options;
    if (changeSet !== undefined && method !== "GET") headers["Change-Set"] = changeSet;
    if (userAgent !== undefined || isNode) headers["User-Agent"] = userAgent ?? "rowhouse-typescript";
    const url = `${this.baseUrl}/api/v1${path}${encodeQuery(request.query)}`;
    for (let attempt = 1, wait = firstWait; ; attempt++) {
      try {
        return await this.#attempt(url, init, headers, receive);
      } catch (error) {
        const after = retryAfter(error, wait);
        // A second request under a condition would fail where the first one succeeded.
        const lost = request.version !== undefined && error instanceof NoResponse;
        if (after === undefined || request.once || lost || attempt >= attempts) throw error;
        await sleep(after, request.signal);
      }
      wait = Math.min(2 * wait, longestWait);
    }
  }

  async #attempt<Out>(
    url: string,
    init: RequestInit,
    headers: { [name: string]: string },
    receive: (response: Response) => Out | Promise<Out>,
  ): Promise<Out> {
    const { token, fetch: send = fetch } = this.options;
    if (token !== undefined) headers["Authorization"] = `Bearer ${typeof token === "string" ? token : await token()}`;
    try {
      const response = await send(url, init);
      if (!response.ok) throw await readProblem(response);
      return await receive(response);
    } catch (error) {
      if (error instanceof Problem || init.signal?.aborted) throw error;
      throw new NoResponse(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }
}

const isNode = "process" in globalThis && !("document" in globalThis);

/** A random key. crypto.randomUUID is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}

function encodeQuery(query: Request["query"] = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) values.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return values.size > 0 ? `?${values}` : "";
}

/** How many milliseconds to wait before another attempt, or undefined if that is of no use. */
export function retryAfter(error: unknown, usual: number): number | undefined {
  const wait = usual / 2 + (Math.random() * usual) / 2;
  if (error instanceof NoResponse) return wait;
  if (!(error instanceof Problem)) return undefined;
  const named = error.retryAfter * 1000;
  switch (error.status) {
    case 429:
    case 503:
      return named <= longestWait ? Math.max(named, wait) : undefined;
    case 502:
    case 504:
      return wait;
    default:
      return error.code === "write_conflict" || error.code === "idempotency_in_progress" ? wait : undefined;
  }
}

/** Waits. Rejects with the reason of the signal when that aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
