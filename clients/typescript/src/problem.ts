import type { ProblemCode, ProblemDocument, ProblemItem } from "./schema.js";

/**
 * A request that the service refused: the problem document of its response (RFC 9457). `code` says why; `errors` has
 * each wrong place of the input.
 */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly document: ProblemDocument,
    /** Seconds after which the service wants to be asked again, or 0. */
    readonly retryAfter = 0,
  ) {
    super(document.detail);
  }

  /** One of ProblemCode, a code that is newer than this library, or "" if a proxy refused the request. */
  get code(): ProblemCode | (string & {}) {
    return this.document.code;
  }

  get status(): number {
    return this.document.status;
  }

  get errors(): ProblemItem[] {
    return this.document.errors ?? [];
  }

  /** With the code version_changed, the record as it is now. */
  get current(): { [member: string]: unknown } | undefined {
    return this.document.current;
  }
}

/** Reports whether an error is a Problem with one of the codes. */
export function hasCode(error: unknown, ...codes: ProblemCode[]): error is Problem {
  return error instanceof Problem && (codes as string[]).includes(error.code);
}

/** A request without a response, or without all of it. */
export class NoResponse extends Error {
  override readonly name = "NoResponse";
}

const longestText = 200;

/** The error of a response. One that is no problem document came from something before the service. */
export async function readProblem(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get("Retry-After")) || 0;
  const text = (await response.text().catch(() => "")).trim();
  try {
    const document = JSON.parse(text) as ProblemDocument;
    if (document.status && typeof document.code === "string") return new Problem(document, retryAfter);
  } catch {
    // not JSON
  }
  const title = `${response.status} ${response.statusText}`.trim();
  const detail = text && text.length <= longestText && !text.startsWith("<") ? `${title}: ${text}` : title;
  return new Problem(
    { type: "about:blank", title: response.statusText, status: response.status, code: "", detail, requestId: "" },
    retryAfter,
  );
}
