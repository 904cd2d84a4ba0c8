import type { Field } from "../../api/type.ts";
import { textOf } from "../../text/index.ts";
import { configPanel } from "../config/index.ts";
import { CardLabels } from "../control/card.tsx";
import type { Context, Parsed } from "../context.ts";
import type { FieldKind, Label } from "../kind.ts";
import { listOf, splitNames } from "../list.ts";
import { optionsOf, optionTone } from "../option.ts";

/** The options of a value as labels. */
function optionLabels(value: unknown, field: Field): Label[] {
  return listOf(value).map((name) => ({ id: name, label: name, tone: optionTone(field, name) }));
}

/**
 * Reads the name of an option; upper and lower case are the same unless two options differ in
 * nothing else.
 */
export function parseOption(name: string, field: Field, context: Context): Parsed {
  const options = optionsOf(field);
  const lower = name.toLowerCase();
  const found =
    options.find((option) => option.name === name) ?? options.find((option) => option.name.toLowerCase() === lower);
  if (found) return { value: found.name };
  const names = options.map((option) => option.name).join(", ");
  return { error: textOf(context.locale).field.invalid.option(name, names) };
}

/**
 * Reads a list of names one by one; the first that cannot be read is the error, and none is taken
 * twice.
 */
export function parseEach(entry: string, one: (name: string) => Parsed): Parsed & { value?: string[] } {
  const values: string[] = [];
  for (const name of splitNames(entry)) {
    const parsed = one(name);
    if (parsed.error !== undefined) return parsed;
    if (!values.includes(parsed.value as string)) values.push(parsed.value as string);
  }
  return { value: values };
}

const maxOptions = 1000; // options of a field

/** The options of a field whose values are these names. */
export const optionsFor = (names: Iterable<string>) => ({
  options: [...new Set(names)].slice(0, maxOptions).map((name) => ({ name })),
});

/** What kinds whose values are options share. */
export const choosing = {
  group: "choice",
  format: (value) => listOf(value).join(", "),
  accepts: () => false, // another field has other options
  cell: { draw: (pen, value, field) => pen.labels(optionLabels(value, field)) },
  Card: ({ value, field }) => <CardLabels labels={optionLabels(value, field)} />,
  Config: configPanel("OptionsConfig"),
} satisfies Partial<FieldKind>;
