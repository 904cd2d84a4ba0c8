import { expect, test } from "vitest";
import { functions } from "../../src/field/formula/catalogue.ts";
import { accepting, askedAt, offersFor } from "../../src/field/formula/completion.ts";
import { placeOf, stillThere, suggestionFor } from "../../src/field/formula/problem.ts";
import { baseOf, takes, usualFunction } from "../../src/field/formula/source.ts";
import { configFacts } from "../../src/field/config/facts.ts";
import { fieldTypes } from "../../src/field/facts.ts";
import { fieldOf } from "../fieldsample.tsx";

const named = (name: string) => ({ ...fieldOf("number"), id: name, name });
const fields = ["Unit price", "Price", "Stock {old}", "Due"].map(named);

/** Completes a text at the bar with the nth offer. */
function complete(written: string, nth = 0, always = false): string | undefined {
  const [formula, caret] = [written.replace("|", ""), written.indexOf("|")];
  const asked = askedAt(formula, caret, always);
  const offer = asked && offersFor(asked, fields, functions)[nth];
  if (!offer) return undefined;
  const edit = accepting(formula, asked, offer);
  const text = formula.slice(0, edit.start) + edit.text + formula.slice(edit.end);
  return `${text.slice(0, edit.caret)}|${text.slice(edit.caret)}`;
}

test.each([
  ["pri|", "{Price}|"],
  ["{Pr|", "{Price}|"],
  ["{un|} * 2", "{Unit price}| * 2"],
  ["1 + Unit pr|", "1 + {Unit price}|"],
  ["1 + unit pri| * 2", "1 + {Unit price}| * 2"],
  ["sto|", "{Stock \\{old\\}}|"],
  ["dateadd|", "DATEADD(|)"],
  ["DATEAD|({Due}, 1)", "DATEADD(|{Due}, 1)"],
  ["now|", "NOW()|"],
  ["if(to|", "if(TODAY()|"],
])("%s is completed to %s", (written, completed) => expect(complete(written)).toBe(completed));

const nothing = ["|", "1 |", '"pri|"', "// pri|", "{Price}|", '"a"|', "12|", "xyzzy|"];

test.each(nothing)("nothing is offered in %s", (written) => expect(complete(written)).toBeUndefined());

test("everything is offered where it is asked for", () => {
  expect(complete("1 + |", 0, true)).toBe("1 + {Unit price}|");
  const asked = askedAt("", 0, true)!;
  expect(offersFor(asked, fields, functions)).toHaveLength(fields.length + functions.length);
  expect(offersFor(askedAt("{", 1)!, fields, functions)).toHaveLength(fields.length);
});

const at = (line: number, column: number, length: number, message = "") => ({ line, column, length, message });

test("a place is found in characters and lines, and one at the end is a letter long", () => {
  const formula = '"😀" &\n{Tns}';
  const { start, end } = placeOf(formula, at(2, 1, 5));
  expect(formula.slice(start, end)).toBe("{Tns}");
  const text = placeOf(formula, at(1, 1, 3));
  expect(formula.slice(text.start, text.end)).toBe('"😀"');
  expect(placeOf("1 +", at(1, 4, 0))).toEqual({ start: 3, end: 4 });
});

test.each([
  ["{Tns} + 1", at(1, 1, 5, 'there is no field "Tns", did you mean "Tons {x}"?'), "{Tons \\{x\\}} + 1"],
  ["Tns + 1", at(1, 1, 3, 'there is no field "Tns", did you mean "Tons"?'), "{Tons} + 1"],
  ["UPER(1)", at(1, 1, 4, 'there is no function UPER, did you mean "UPPER"?'), "UPPER(1)"],
  ["D('dayz')", at(1, 3, 6, '"dayz" is no unit, did you mean "days"?; the units are days'), "D('days')"],
])("what was meant in %s is written in its place", (formula, problem, corrected) => {
  const edit = suggestionFor(formula, problem)!;
  expect(formula.slice(0, edit.start) + edit.text + formula.slice(edit.end)).toBe(corrected);
});

test("a problem stays while the text before and in it is the same", () => {
  const problems = [at(1, 1, 3), at(1, 7, 3)];
  expect(stillThere(problems, "Tns + Ton", "Tns + Ton")).toEqual(problems);
  expect(stillThere(problems, "Tns + Ton", "Tns + Tons")).toEqual([problems[0]]);
  expect(stillThere(problems, "Tns + Ton", "Tn + Ton")).toEqual([]);
});

test("every kind of value has a function that takes it, of those that the service has", () => {
  const known = configFacts("rollup").config.function?.enum ?? [];
  for (const type of fieldTypes) {
    const base = baseOf(fieldOf(type));
    expect(known).toContain(usualFunction(base));
    expect(takes(usualFunction(base), base)).toBe(true);
  }
});
