/** A part of a plain text: words, or an address that a browser opens. */
export type Piece = { text: string; address?: string };

const written = /\bhttps?:\/\/[\p{L}\p{N}[][^\s<>"«»“”]*/giu;

/**
 * Splits a text at the http and https addresses in it. Punctuation that ends a sentence is no part of an address,
 * and a closing bracket only if it was opened in it.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(written)) {
    const shown = withoutEnd(match[0]);
    if (!URL.canParse(shown)) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: shown, address: shown });
    end = match.index + shown.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

const brackets: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

function withoutEnd(address: string): string {
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1] ?? "";
    const opening = brackets[last];
    const kept = address.slice(0, end);
    if (opening ? kept.split(opening).length >= kept.split(last).length : !/[.,:;!?'’…*_~|\\]/.test(last)) break;
  }
  return address.slice(0, end);
}
