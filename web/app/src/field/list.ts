/**
 * A list of names as one text, for the clipboard and for what is typed: names are separated by
 * commas, and a name that contains a comma or a quotation mark, or begins or ends with a space, is
 * in quotation marks, which are doubled inside it (as in RFC 4180).
 */
export function joinNames(names: string[]): string {
  return names.map((name) => (/[",\r\n]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(", ");
}

const part = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/y;

/**
 * Reads what joinNames wrote, and what people type. Empty names are left out; a quotation mark that
 * nothing closes is a letter.
 */
export function splitNames(list: string): string[] {
  const names: string[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < list.length) {
    const found = part.exec(list);
    if (!found) break;
    const name = found[1] === undefined ? (found[2] ?? "").trim() : found[1].replaceAll('""', '"');
    if (name !== "") names.push(name);
  }
  return names;
}

/** The id of something that the service describes as an object; "" when it has none. */
export function idOf(item: unknown): string {
  return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string" ? item.id : "";
}

/** Reads a value that is a list of names or ids, whether it has come as one or as several. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => (typeof item === "string" ? item : idOf(item))).filter(Boolean);
  return typeof value === "string" && value !== "" ? [value] : [];
}
