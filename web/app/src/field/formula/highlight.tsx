import { memo } from "react";
import { join } from "../../ui/class.ts";
import { referred, type Token, type TokenKind, tokensOf } from "./token.ts";

const looks: Record<TokenKind, string> = {
  comment: "text-faint",
  text: "text-(--tone-green-ink)",
  field: "rounded-[3px] bg-(--tone-blue) text-(--tone-blue-ink)",
  number: "text-(--tone-orange-ink)",
  function: "text-(--tone-purple-ink)",
  name: "",
  operator: "text-muted",
  space: "",
  other: "",
};

type Place = { start: number; end: number };

type Props = { formula: string; names: Set<string>; wrong: Place[] };

/**
 * A formula in colours, with what is wrong underlined. It stands below the text that is edited. `names`
 * are those of the fields that there are; no others have the colour of a field.
 */
export const Highlight = memo(function Highlight({ formula, names, wrong }: Props) {
  const unknown = (token: Token) => token.kind === "field" && !names.has(referred(formula, token) ?? "");
  // A space at the end makes room for a mistake there, and for a last line that is empty.
  const pieces = [
    ...tokensOf(formula).map((token) => (unknown(token) ? { ...token, kind: "other" as const } : token)),
    { kind: "space" as const, start: formula.length, end: formula.length + 1 },
  ].flatMap(({ kind, start, end }) => {
    const inside = wrong.flatMap((one) => [one.start, one.end]).filter((at) => at > start && at < end);
    const cuts = [...new Set([start, ...inside, end])].toSorted((a, b) => a - b);
    return cuts.slice(1).map((to, index) => ({ kind, start: cuts[index] ?? start, end: to }));
  });
  return pieces.map(({ kind, start, end }) => (
    <span
      key={start}
      className={join(
        looks[kind],
        wrong.some((one) => one.start <= start && end <= one.end) &&
          "underline decoration-danger decoration-wavy decoration-[1.5px] underline-offset-[3px]",
      )}
    >
      {`${formula} `.slice(start, end)}
    </span>
  ));
});

/** The rectangle of a place in an element with text, where the browser lays text out. */
export function rectOf(element: Element | null, place: number): DOMRect | undefined {
  if (!element) return undefined;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let rest = place;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.nodeValue?.length ?? 0;
    if (rest < length) {
      const range = document.createRange();
      range.setStart(node, rest);
      range.setEnd(node, rest + 1);
      return range.getBoundingClientRect?.();
    }
    rest -= length;
  }
  return undefined;
}
