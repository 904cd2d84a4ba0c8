import { currentText } from "../text/index.ts";
import { hold, isPaused } from "./person.ts";
import { takePrefetched } from "./prefetch.ts";
import { Problem } from "./problem.ts";
import { viewAs } from "./viewas.ts";

/**
 * What every request of the application passes through: the end of the session, prefetched
 * responses, problem documents.
 */

type Listener = () => void;
const endListeners = new Set<Listener>();
let endPending = false; // nobody was signed in for the first requests, before the page could listen

/**
 * Calls the listener when the service says that nobody is signed in any more. Returns the function
 * to stop.
 */
export function onSessionEnd(listener: Listener): () => void {
  endListeners.add(listener);
  if (endPending) {
    endPending = false;
    listener();
  }
  return () => void endListeners.delete(listener);
}

const refusalListeners = new Set<Listener>();

/**
 * Calls the listener when the service refuses something to a person who is signed in. Returns the
 * function to stop.
 */
export function onRefusal(listener: Listener): () => void {
  refusalListeners.add(listener);
  return () => void refusalListeners.delete(listener);
}

/**
 * Returns the failure of a request while requests are paused, because the page's person is not
 * signed in and the request must not go out under another name; otherwise undefined.
 */
export function blocked(): Problem | undefined {
  if (!isPaused()) return undefined;
  for (const listener of endListeners) listener();
  const { failure, ended } = currentText();
  return new Problem(401, "signed_out", failure.byStatus[401] ?? failure.unexpected, ended.paused);
}

const maxOwn = 500;
const own = new Set<string>(); // ids of change sets

/** Reports whether this page made a change set. The response may come after the change event. */
export function isOwn(changeSet: string): boolean {
  return own.has(changeSet);
}

function note(changeSet: string | null) {
  if (changeSet === null) return;
  own.delete(changeSet);
  own.add(changeSet);
  const [oldest] = own;
  if (own.size > maxOwn && oldest !== undefined) own.delete(oldest);
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

async function fetchOrTake(request: Request): Promise<Response> {
  const prefetched = request.method === "GET" ? takePrefetched(request.url.slice(location.origin.length)) : undefined;
  try {
    return await (prefetched ?? fetch(request));
  } catch (error) {
    if (isAbort(error)) throw error;
    const { failure } = currentText();
    throw new Problem(0, "offline", failure.offlineTitle, failure.offline);
  }
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Init = {
  params: { path: Record<string, unknown>; query: Record<string, unknown> };
  body: unknown;
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
  keepalive?: boolean;
};
type Outcome = { data?: unknown; error?: unknown; response: Response };

/** Writes a path with its parameters, and those of the query that have a value; a list has its name repeatedly. */
function urlOf(path: string, { path: parameters, query }: Init["params"]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  );
  return location.origin + filled + (pairs.length > 0 ? `?${pairs.join("&")}` : "");
}

async function request(method: Method, path: string, { params, body, headers, ...init }: Init): Promise<Outcome> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  if (sent !== undefined) headers["Content-Type"] = "application/json";
  const options: RequestInit = { ...init, method, headers, body: sent, credentials: "same-origin" };
  const response = await fetchOrTake(new Request(urlOf(path, params), options));
  if (response.status === 204 || response.headers.get("Content-Length") === "0") return { response };
  if (response.ok) return { response, data: await response.json() };
  const error = await response.text();
  try {
    return { response, error: JSON.parse(error) as unknown };
  } catch {
    return { response, error };
  }
}

/**
 * Sends a request with the session's cookie and reads the JSON response. Throws a Problem, and nothing
 * else but AbortError. `whilePaused` sends it even while all other requests are paused, to ask who is
 * signed in (see person.ts).
 */
export async function send(method: Method, path: string, init: Init & { whilePaused?: boolean }): Promise<unknown> {
  const { whilePaused, ...rest } = init;
  const refusal = whilePaused ? undefined : blocked();
  if (refusal) throw refusal;
  let response: Response | undefined;
  let outcome: Outcome;
  try {
    rest.headers.Accept = "application/json";
    const as = viewAs();
    if (as) rest.headers["View-As"] = as.userId;
    outcome = await request(method, path, rest);
    response = outcome.response;
  } catch (error) {
    if (error instanceof Problem || isAbort(error)) throw error;
    const { failure } = currentText();
    throw new Problem(-1, "unreadable", failure.unexpected, failure.unreadable);
  }
  note(response.headers.get("Change-Set"));
  if (response.ok) return outcome.data;
  const problem = Problem.of(response, outcome.error);
  if (problem.status === 401) {
    hold();
    endPending = endListeners.size === 0;
    for (const listener of endListeners) listener();
  }
  if (problem.status === 403) for (const listener of refusalListeners) listener();
  throw problem;
}
