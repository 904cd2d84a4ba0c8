import { currentText } from "../text/index.ts";
import { blocked } from "./client.ts";
import { Problem } from "./problem.ts";
import type { Schemas, Body } from "./type.ts";

/** How the service reads a file. */
export type Preview = Schemas["ImportPreview"];
export type PreviewColumn = Preview["columns"][number];
export type FilePart = Preview["parts"][number];
/** The choices that override what the file shows, and the fields to check its values for. */
export type PreviewForm = Omit<Body<"preview_import">, "content">;

/**
 * Sends a file and returns how the service reads it. Throws a Problem, and nothing else but
 * AbortError.
 */
export async function previewFile(file: Blob, form: PreviewForm, signal?: AbortSignal): Promise<Preview> {
  const refusal = blocked();
  if (refusal) throw refusal;
  const body = new FormData();
  body.set("form", JSON.stringify(form));
  body.set("file", file);
  let response: Response;
  try {
    response = await fetch("/api/v1/imports/file", {
      method: "POST",
      body,
      signal,
      credentials: "same-origin",
      headers: { Accept: "application/json" },
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    const { failure } = currentText();
    throw new Problem(0, "offline", failure.offlineTitle, failure.offline);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer) return answer as Preview;
  throw Problem.of(response, answer);
}

/** The bytes of a part of a file, as base64. */
export async function base64(part: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unreadable")));
    reader.readAsDataURL(part);
  });
}
