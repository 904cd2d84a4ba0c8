import { symbols } from "./symbols.ts";

/** A symbol by its lucide name. It comes with its own chunk, since few pages show one. */
export default function Symbol({ name, size, fallback }: { name: string; size: number; fallback: string }) {
  const Found = symbols[name];
  return Found ? <Found size={size} /> : fallback;
}
