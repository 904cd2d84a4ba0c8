import type { Field, Option } from "../api/type.ts";
import type { Choice } from "./picker.tsx";
import { type Tone, toneFrom, tones } from "../ui/tone.ts";

export function optionsOf(field: Field): Option[] {
  return field.config?.options ?? field.options?.map((name) => ({ name })) ?? [];
}

/** The tone of an option: the chosen one, or one by its place. */
export function optionTone(field: Field, name: string): Tone {
  const options = optionsOf(field);
  const index = options.findIndex((option) => option.name === name);
  return toneFrom(options[index]?.color) ?? (index < 0 ? "gray" : (tones[(index % (tones.length - 1)) + 1] ?? "gray"));
}

/** The options to choose from. */
export function optionChoices(field: Field): Choice[] {
  return optionsOf(field).map(({ name }) => ({ id: name, label: name, tone: optionTone(field, name) }));
}
