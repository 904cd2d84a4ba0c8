import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const maxBytes = 63; // of a name in PostgreSQL

const encoder = new TextEncoder();

/** The form in which names are compared, as the service compares them. */
const keyOf = (name: string) =>
  name.normalize("NFC").toLowerCase().replaceAll("\u03C2", "\u03C3").replaceAll("i\u0307", "i");

/** Cuts a name that is too long, and ends it with a part of its digest. */
function shorten(name: string, max: number): string {
  const bytes = encoder.encode(name);
  if (bytes.length <= max) return name;
  const suffix = `~${bytesToHex(sha256(bytes)).slice(0, 6)}`;
  let cut = max - suffix.length;
  while (cut > 0 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut--; // no half of a character
  return new TextDecoder().decode(bytes.slice(0, cut)) + suffix;
}

/**
 * Gives names as the service gives them to SQL: at most as long as PostgreSQL takes them, and different
 * from all that were given before in more than case.
 */
export function nameSet(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    let name = shorten(wanted, maxBytes);
    for (let n = 2; taken.has(keyOf(name)); n++) {
      const suffix = `_${n}`;
      name = shorten(wanted, maxBytes - suffix.length) + suffix;
    }
    taken.add(keyOf(name));
    return name;
  };
}
