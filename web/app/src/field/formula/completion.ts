import type { Field } from "../../api/type.ts";
import type { FormulaFunction } from "./catalogue.ts";
import { isClosed, reference, tokensOf } from "./token.ts";

/** What a formula can be completed with. */
export type Offer = { field: Field } | { function: FormulaFunction };

/** What is being written: the place that an offer takes, and the letters before the caret. */
export type Asked = {
  start: number;
  end: number;
  query: string;
  /** A brace has begun a field. */
  field: boolean;
  /** The words before it with it, each from an earlier one on, which may be the name of a field. */
  phrases: { start: number; query: string }[];
};

const maxWords = 4; // of a name that is written without braces

/** What can be completed at a position; with `always` also where no word is being written. */
export function askedAt(formula: string, caret: number, always = false): Asked | undefined {
  const tokens = tokensOf(formula);
  const at = tokens.findIndex(({ start, end }) => start < caret && caret <= end);
  const token = tokens[at];
  const query = token ? formula.slice(token.start, caret) : "";
  switch (token?.kind) {
    case "field": {
      const closed = isClosed(formula, token);
      if (closed && caret === token.end) break;
      const end = closed ? token.end : caret;
      return { start: token.start, end, query: query.slice(1), field: true, phrases: [] };
    }
    case "name":
    case "function": {
      const phrases: Asked["phrases"] = [];
      for (let word = at - 2; word >= 0 && phrases.length < maxWords; word -= 2) {
        const [before, gap] = [tokens[word], tokens[word + 1]];
        if (before?.kind !== "name" || gap?.kind !== "space" || gap.end - gap.start > 1) break;
        phrases.push({ start: before.start, query: formula.slice(before.start, caret) });
      }
      return { start: token.start, end: token.end, query, field: false, phrases };
    }
    case "text":
    case "comment":
      if (caret < token.end || token.kind === "comment" || !isClosed(formula, token)) return undefined;
      break;
    default:
  }
  return always ? { start: caret, end: caret, query: "", field: false, phrases: [] } : undefined;
}

const notAtAll = 3;

/** How well a name fits what was written, the best first. */
function rank(name: string, query: string): number {
  const [lower, wanted] = [name.toLowerCase(), query.toLowerCase()];
  if (lower.startsWith(wanted)) return 0;
  if (lower.split(/[\s_]+/).some((word) => word.startsWith(wanted))) return 1;
  return wanted.length > 1 && lower.includes(wanted) ? 2 : notAtAll;
}

export function offersFor(asked: Asked, fields: Field[], functions: readonly FormulaFunction[]): Offer[] {
  const ranked = fields.map((field) => {
    const whole = asked.phrases.some(({ query }) => field.name.toLowerCase().startsWith(query.toLowerCase()));
    return { offer: { field } as Offer, place: whole ? -1 : rank(field.name, asked.query) };
  });
  if (!asked.field)
    for (const one of functions) ranked.push({ offer: { function: one }, place: rank(one.name, asked.query) });
  return ranked
    .filter(({ place }) => place < notAtAll)
    .toSorted((a, b) => a.place - b.place)
    .map(({ offer }) => offer);
}

/** A change of a formula: what takes the place of a part, and where the caret is behind it. */
export type Edit = { start: number; end: number; text: string; caret: number };

/** The change that accepts an offer. */
export function accepting(formula: string, asked: Asked, offer: Offer): Edit {
  const { end } = asked;
  if ("field" in offer) {
    const { name } = offer.field;
    const whole = asked.phrases.findLast(({ query }) => name.toLowerCase().startsWith(query.toLowerCase()));
    const start = whole?.start ?? asked.start;
    const text = reference(name);
    return { start, end, text, caret: start + text.length };
  }
  const { name, signature } = offer.function;
  const called = /^\s*\(/.exec(formula.slice(end))?.[0];
  const { start } = asked;
  if (called) return { start, end, text: name, caret: start + name.length + called.length };
  const text = `${name}()`;
  return { start, end, text, caret: start + text.length - (signature.endsWith("()") ? 0 : 1) };
}
