import { currentText } from "../text/index.ts";
import { blocked } from "./client.ts";
import { getUploadLimits } from "./read.ts";
import { Problem, type ProblemItem } from "./problem.ts";
import type { Attachment } from "./type.ts";

/** What files the service accepts; empty `types` accepts all. */
export type UploadLimits = { maxBytes: number; maxImportBytes: number; types: string[] };

let known: Promise<UploadLimits> | undefined;

/** Reads once what files are accepted. */
function uploadLimits(): Promise<UploadLimits> {
  known ??= getUploadLimits().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

type Options = {
  /** The path of what the file is for. */
  to: `tables/${string}` | `bases/${string}` | `workspaces/${string}`;
  file: File;
  signal: AbortSignal;
  /** Called with the part that has gone out, 0 to 1. */
  onProgress: (part: number) => void;
};

/**
 * Uploads a file for a table, for an import into a new table of a base, or for a new base. Throws a Problem, and
 * nothing else but AbortError. Does not send a file that is too large.
 */
export async function upload({ to, file, signal, onProgress }: Options): Promise<Attachment> {
  const limits = await uploadLimits();
  const text = currentText().file;
  const most = /^tables\/[^/]+$/.test(to) ? limits.maxBytes : limits.maxImportBytes;
  if (most > 0 && file.size > most)
    throw new Problem(
      413,
      "file_too_large",
      text.notUploaded(file.name),
      text.tooLarge(file.name, Math.floor(most / 1_048_576)),
    );
  const refusal = blocked();
  if (refusal) throw refusal;
  return new Promise((resolve, reject) => {
    // Only XMLHttpRequest reports how much of a request has gone out.
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const lost = () => reject(new Problem(0, "offline", text.notUploaded(file.name), text.lost(file.name)));
    request.upload.addEventListener(
      "progress",
      (event) => event.lengthComputable && onProgress(event.loaded / event.total),
    );
    request.addEventListener("load", () => {
      const body = request.response as
        (Attachment & { detail?: string; code?: string; errors?: ProblemItem[]; requestId?: string }) | null;
      if (request.status === 200 && body) return resolve(body);
      reject(
        new Problem(
          request.status,
          body?.code ?? String(request.status),
          text.notUploaded(file.name),
          body?.detail ?? text.lost(file.name),
          body?.errors,
          body?.requestId,
        ),
      );
    });
    request.addEventListener("error", lost);
    request.addEventListener("timeout", lost);
    request.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", stop));
    signal.addEventListener("abort", stop);
    request.open(
      "POST",
      `/api/v1/${to}/uploads?name=${encodeURIComponent(file.name || text.pasted)}`,
    );
    request.responseType = "json";
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });
}
