import type { Field, Row } from "../api/type.ts";
import { kindOf } from "./kind/index.ts";

/** The address that the value of a record is a link to. */
export function linkAt(row: Row, field: Field | undefined): string | undefined {
  const value = field && row.fields[field.name];
  return typeof value === "string" && value !== "" && field ? kindOf(field.type).linkOf?.(value) : undefined;
}

/** Follows a link: to a page in a window of its own, and to a mail or a call by what the machine has for them. */
export function follow(address: string) {
  if (/^https?:/i.test(address)) window.open(address, "_blank", "noopener,noreferrer");
  else location.assign(address);
}
