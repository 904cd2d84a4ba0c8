import type { IconNode } from "lucide-react";
import { createElement, use } from "react";
import { symbolsBy } from "virtual:symbols";

type Symbols = Record<string, IconNode | undefined>;

const none: Symbols = {};
const parts = new Map<string, Promise<Symbols>>();

/** Loads the symbols whose names begin with a letter. */
function partOf(letter: string): Promise<Symbols> {
  const part = parts.get(letter) ?? symbolsBy[letter]?.().then(({ symbols }) => symbols) ?? Promise.resolve(none);
  parts.set(letter, part);
  return part;
}

/** The names of all symbols that can be chosen as an icon, and their drawings. */
export async function loadSymbols(): Promise<Record<string, IconNode>> {
  const all = await Promise.all(Object.values(symbolsBy).map((part) => part()));
  return Object.assign({}, ...all.map(({ symbols }) => symbols)) as Record<string, IconNode>;
}

/**
 * A symbol by its lucide name. Others than can be chosen, which the service takes, show as a letter. It
 * comes with its own chunk, since few pages show one.
 */
export default function Symbol({ name, size, fallback }: { name: string; size: number; fallback: string }) {
  const node = use(partOf(name.charAt(0)))[name];
  if (!node) return fallback;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {node.map(([shape, attributes]) => createElement(shape, attributes))}
    </svg>
  );
}
