/**
 * The text of a formula cut into pieces, to colour and to complete it. Only the service reads
 * formulas; an invalid text is cut, too.
 */

export type TokenKind = "comment" | "text" | "field" | "number" | "function" | "name" | "operator" | "space" | "other";

/** A piece of a formula, from one place to another, counted as in a string. */
export type Token = { kind: TokenKind; start: number; end: number };

const patterns: [TokenKind, RegExp][] = [
  ["space", /\s+/y],
  ["comment", /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ["text", /"(?:[^"\\]|\\[^]|\\$)*(?:"|$)|'(?:[^'\\]|\\[^]|\\$)*(?:'|$)/y],
  ["field", /\{(?:[^}\\\n]|\\[{}\\]|\\)*(?:\}|$|(?=\n))/y],
  ["number", /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["function", /[\p{L}\p{M}_][\p{L}\p{M}_0-9]*(?=\s*\()/uy],
  ["name", /[\p{L}\p{M}_][\p{L}\p{M}_0-9]*/uy],
  ["operator", /!=|<=|>=|[()+\-*/&=<>,]/y],
  ["other", /[^]/uy],
];

export function tokensOf(formula: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < formula.length; ) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = start;
      const found = pattern.exec(formula)?.[0];
      if (!found) continue;
      tokens.push({ kind, start, end: start + found.length });
      start += found.length;
      break;
    }
  }
  return tokens;
}

/** Reports whether what begins with a brace or a quotation mark also ends. */
export function isClosed(formula: string, { kind, start, end }: Token): boolean {
  const last = formula[end - 1];
  if (end - start < 2) return false;
  if (kind === "field") return last === "}" && !/(?<!\\)(?:\\\\)*\\$/.test(formula.slice(start + 1, end - 1));
  return kind === "text" && last === formula[start] && !/(?<!\\)(?:\\\\)*\\$/.test(formula.slice(start + 1, end - 1));
}

/** A field as a formula writes it. */
export const reference = (name: string) => `{${name.replaceAll(/[\\{}]/g, String.raw`\$&`)}}`;

/** The name of the field that a piece refers to, if its braces are closed. */
export function referred(formula: string, token: Token): string | undefined {
  if (token.kind !== "field" || !isClosed(formula, token)) return undefined;
  return formula.slice(token.start + 1, token.end - 1).replaceAll(/\\([\\{}])/g, "$1");
}

/** The call around a place in a formula: the function, and which of its arguments the place is in. */
export function callAt(formula: string, place: number): { name: string; argument: number } | undefined {
  const open: { name: string; argument: number }[] = [];
  let name = "";
  for (const { kind, start, end } of tokensOf(formula)) {
    if (end > place && kind !== "space") break;
    const piece = formula.slice(start, end);
    if (kind === "function") name = piece.toUpperCase();
    else if (piece === "(") {
      open.push({ name, argument: 0 });
      name = "";
    } else if (piece === ")") open.pop();
    else if (piece === ",") {
      const call = open.at(-1);
      if (call) call.argument++;
    }
  }
  return open.findLast((call) => call.name !== "");
}
