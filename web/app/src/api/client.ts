import { takeAhead } from "./ahead.ts";
import { hold, isHeld } from "./person.ts";
import { text } from "../text/index.ts";

export type ProblemItem = { path: string; message: string };

/** A failure as the service tells it (RFC 9457), or as the network does: status 0 means that no answer came. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    message: string,
    readonly items: ProblemItem[] = [],
    readonly requestId?: string,
    readonly retryAfter?: number, // seconds
  ) {
    super(message);
    this.name = "Problem";
  }

  /** True when the same request may succeed later without being changed. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }

  static from(error: unknown): Problem {
    if (error instanceof Problem) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new Problem(-1, "internal", text.failure.unexpected, message);
  }
}

type Listener = () => void;
const ended = new Set<Listener>();
let unheard = false; // nobody was signed in when the first requests went out, before the page was there to listen

/** Calls the listener when the service says that nobody is signed in any more. Returns the way to stop. */
export function onSessionEnd(listener: Listener): () => void {
  ended.add(listener);
  if (unheard) {
    unheard = false;
    listener();
  }
  return () => void ended.delete(listener);
}

const refused = new Set<Listener>();

/** Calls the listener when the service refuses something to somebody who is signed in. Returns the way to stop. */
export function onRefusal(listener: Listener): () => void {
  refused.add(listener);
  return () => void refused.delete(listener);
}

const writes = new Set<(path: string) => void>();

/** Calls the listener with the path of every request that has changed something. Returns the way to stop. */
export function onWrite(listener: (path: string) => void): () => void {
  writes.add(listener);
  return () => void writes.delete(listener);
}

export type Query = Record<string, string | number | boolean | undefined>;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Options = {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Set to ask who is signed in while everything else is held back (see person.ts). */
  whoever?: boolean;
};

/**
 * The failure of a request that is held back: the page's person is not signed in, and it must not go out under another
 * name.
 */
export function heldBack(): Problem | undefined {
  if (!isHeld()) return undefined;
  for (const listener of ended) listener();
  return new Problem(401, "signed_out", text.failure.byStatus[401] ?? text.failure.unexpected, text.ended.heldBack);
}

/** Sends a request with the session's cookie and reads the JSON answer. Throws a Problem, and nothing else but AbortError. */
export async function send<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const { query, body, signal, headers, whoever } = options;
  const refusal = whoever ? undefined : heldBack();
  if (refusal) throw refusal;
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(key, String(value));
  const url = search.size > 0 ? `${path}?${search}` : path;
  let response: Response;
  try {
    response = await ((method === "GET" && takeAhead(url)) || fetch(url, {
      method,
      signal,
      credentials: "same-origin",
      headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "offline", text.failure.offlineTitle, text.failure.offline);
  }
  if (response.ok && method !== "GET") for (const listener of writes) listener(path);
  if (response.ok) return response.status === 204 ? (undefined as T) : await readBody<T>(response);
  const problem = await readProblem(response);
  if (problem.status === 401) {
    hold();
    unheard = ended.size === 0;
    for (const listener of ended) listener();
  }
  if (problem.status === 403) for (const listener of refused) listener();
  throw problem;
}

async function readBody<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    throw new Problem(response.status, "unreadable", text.failure.unexpected, text.failure.unreadable);
  }
}

async function readProblem(response: Response): Promise<Problem> {
  const requestId = response.headers.get("X-Request-Id") ?? undefined;
  const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
  const fallback = text.failure.byStatus[response.status] ?? text.failure.unexpected;
  try {
    const body = (await response.json()) as {
      title?: string;
      detail?: string;
      code?: string;
      errors?: ProblemItem[];
      requestId?: string;
    };
    return new Problem(
      response.status,
      body.code ?? String(response.status),
      fallback,
      body.detail ?? body.title ?? fallback,
      body.errors ?? [],
      body.requestId ?? requestId,
      retryAfter,
    );
  } catch {
    return new Problem(response.status, String(response.status), fallback, text.failure.unreadable, [], requestId, retryAfter);
  }
}

const root = "/api/v1";
export const get = <T>(path: string, query?: Query, signal?: AbortSignal) => send<T>("GET", root + path, { query, signal });
export const post = <T>(path: string, body: unknown, headers?: Record<string, string>) =>
  send<T>("POST", root + path, { body, headers });
export const put = <T>(path: string, body: unknown) => send<T>("PUT", root + path, { body });
export const patch = <T>(path: string, body: unknown) => send<T>("PATCH", root + path, { body });
export const remove = <T>(path: string, body?: unknown) => send<T>("DELETE", root + path, { body });
