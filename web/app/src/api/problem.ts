import type { Row } from "./type.ts";
import { currentText } from "../text/index.ts";

// There was no response, or one that a proxy or a busy service sends before anything was done.
const temporary = [0, 408, 429, 502, 503, 504];

export type ProblemItem = { path: string; message: string };

/**
 * A problem document (RFC 9457), or a failure of the network: status 0 means that there was no
 * response.
 */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    message: string,
    readonly items: ProblemItem[] = [],
    readonly requestId?: string,
    readonly retryAfter?: number, // seconds
    /** The current record, if its version differs from the one that the request demanded. */
    readonly current?: Row,
  ) {
    super(message);
    this.name = "Problem";
  }

  /** True when the same request may succeed later unchanged. */
  get temporary(): boolean {
    return temporary.includes(this.status) || this.code === "idempotency_in_progress";
  }

  static from(error: unknown): Problem {
    if (error instanceof Problem) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new Problem(-1, "internal", currentText().failure.unexpected, message);
  }

  /** The problem in the body of a response. */
  static of(response: Response, body: unknown): Problem {
    const requestId = response.headers.get("X-Request-Id") ?? undefined;
    const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
    const { failure } = currentText();
    const title = failure.byStatus[response.status] ?? failure.unexpected;
    if (typeof body !== "object" || body === null)
      return new Problem(
        response.status,
        String(response.status),
        title,
        failure.unreadable,
        [],
        requestId,
        retryAfter,
      );
    const document = body as {
      title?: string;
      detail?: string;
      code?: string;
      errors?: ProblemItem[];
      requestId?: string;
      current?: Row;
    };
    return new Problem(
      response.status,
      document.code ?? String(response.status),
      title,
      document.detail ?? document.title ?? title,
      document.errors ?? [],
      document.requestId ?? requestId,
      retryAfter,
      document.code === "version_changed" ? document.current : undefined,
    );
  }
}
