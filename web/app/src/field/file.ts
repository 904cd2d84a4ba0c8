import type { Attachment } from "../api/type.ts";

/** The address of a file on the page's own origin, by whatever name the service was reached. */
export function here(address: string): string {
  try {
    return new URL(address, location.href).pathname;
  } catch {
    return address;
  }
}

/** The files of an attachment value. */
export function attachmentsOf(value: unknown): Attachment[] {
  return Array.isArray(value) ? (value as Attachment[]) : [];
}
