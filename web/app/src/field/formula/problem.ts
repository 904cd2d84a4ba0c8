import type { Schemas } from "../../api/type.ts";
import type { Edit } from "./completion.ts";
import { reference } from "./token.ts";

export type FormulaProblem = Schemas["FormulaProblem"];

/** Where a problem is, counted as in a string; at the end of a formula it is one letter long. */
export function placeOf(formula: string, { line, column, length }: FormulaProblem): { start: number; end: number } {
  let start = 0;
  for (let at = 1; at < line; at++) start = formula.indexOf("\n", start) + 1;
  const from = after(formula, start, column - 1);
  return { start: from, end: Math.max(after(formula, from, length), from + 1) };
}

/** The place behind some characters. The service counts these, some of which are two in a string. */
function after(formula: string, start: number, characters: number): number {
  let at = start;
  for (let count = 0; count < characters && at < formula.length; count++)
    at += (formula.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** What the service thinks was meant, as a change of the formula. */
export function suggestionFor(formula: string, problem: FormulaProblem): (Edit & { name: string }) | undefined {
  const name = /, did you mean "([^]+)"\?/.exec(problem.message)?.[1];
  if (name === undefined) return undefined;
  const { start, end } = placeOf(formula, problem);
  const first = formula[start] ?? "";
  let text = reference(name);
  if (first === '"' || first === "'") text = first + name + first;
  else if (problem.message.startsWith("there is no function")) text = name;
  return { name, start, end, text, caret: start + text.length };
}

/**
 * The problems of an earlier text that still stand where they were: those before the first letter
 * that has changed since.
 */
export function stillThere(problems: FormulaProblem[], checked: string, formula: string): FormulaProblem[] {
  if (checked === formula) return problems;
  let same = 0;
  while (same < checked.length && checked[same] === formula[same]) same++;
  return problems.filter((problem) => placeOf(checked, problem).end < same);
}
