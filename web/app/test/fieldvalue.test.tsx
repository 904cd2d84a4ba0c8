import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { FieldType } from "../src/api/type.ts";
import { fieldTypes } from "../src/field/facts.ts";
import { kindOf } from "../src/field/kind/index.ts";
import type { Pen } from "../src/field/kind.ts";
import { format } from "../src/field/value.ts";
import { context, fieldOf, samples } from "./fieldsample.tsx";

afterEach(cleanup);

const valueTypes = Object.entries(samples) as [FieldType, { value: unknown; shown: string }][];

test("there is a sample for every type that holds values", () => {
  expect([...valueTypes.map(([type]) => type), "button"].toSorted()).toEqual(fieldTypes.toSorted());
});

/** Returns what a kind draws, as text. */
function drawn(type: FieldType, value: unknown): string {
  let written = "";
  const write = (text: string) => {
    written += text;
  };
  const pen: Pen = {
    text: write,
    labels: (labels) => write(labels.map(({ label }) => label).join(", ")),
    files: (files) => write(files.map((file) => file.name).join(", ")),
    stars: (count, max) => write(`${count}/${max}`),
    button: write,
  };
  const field = fieldOf(type);
  const { cell } = kindOf(type);
  if (cell.draw) cell.draw(pen, value, field, context);
  else pen.text(format(value, field, context));
  return written;
}

test.each(valueTypes)("a value of type %s has the same text in a cell and on a card", (type, sample) => {
  const { value, shown } = sample;
  expect(format(value, fieldOf(type), context)).toBe(shown);
  const { cell, Card } = kindOf(type);
  if (!cell.box) expect(drawn(type, value)).toBe(cell.align || !cell.draw || type !== "rating" ? shown : "3/5");
  if (!Card) throw new Error("a value is shown on a card");
  const { container } = render(<Card value={value} field={fieldOf(type)} context={context} />);
  for (const hidden of container.querySelectorAll(".sr-only")) hidden.remove();
  const separate = container.querySelectorAll(".tone").length > 1;
  expect(container.textContent).toBe(type === "rating" ? "★★★" : separate ? shown.replaceAll(", ", "") : shown);
});

test.each(fieldTypes)("an empty cell of type %s draws nothing but its permanent content", (type) => {
  const always: Partial<Record<FieldType, string>> = { rating: "0/5", button: "Map" };
  expect(drawn(type, null)).toBe(always[type] ?? "");
});

test("the labels of options and people are coloured, and those of links are not", () => {
  const tones: Record<string, (string | undefined)[]> = {};
  for (const type of ["single_select", "user", "link"] as const) {
    const pen = { labels: (labels: { tone?: string }[]) => (tones[type] = labels.map(({ tone }) => tone)) };
    kindOf(type).cell.draw?.(pen as unknown as Pen, samples[type].value, fieldOf(type), context);
  }
  expect(tones.single_select).toEqual(["green"]);
  expect(tones.user?.[0]).toMatch(/^[a-z]+$/);
  expect(tones.link).toEqual([undefined]);
});

test.each([
  ["number", { thousands: true, precision: 1 }, "-1,234.5"],
  ["number", { negative: "parentheses" }, "(1234.5)"],
  ["number", { negative: "red", precision: 0, thousands: true }, "-1,235"],
  ["percent", { negative: "red_parentheses", thousands: true }, "(1,234.5%)"],
  ["currency", { symbol: "€", negative: "parentheses" }, "(€1,234.50)"],
  ["currency", { symbol: "€", thousands: false }, "-€1234.50"],
] as const)("a %s below zero is written as its field says: %j", (type, config, text) => {
  const field = { ...fieldOf(type), config };
  const { cell, parse } = kindOf(type);
  expect(format(-1234.5, field, context)).toBe(text);
  let red: boolean | undefined;
  cell.draw?.({ text: (_, look) => (red = look?.danger) } as Pen, -1234.5, field, context);
  expect(red).toBe("negative" in config && config.negative.startsWith("red"));
  if (!("precision" in config)) expect(parse?.(text, field, context, text)).toEqual({ value: -1234.5 });
});
