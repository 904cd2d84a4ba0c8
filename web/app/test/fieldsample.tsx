import type { ReactNode } from "react";
import { BaseContext, type OpenBase } from "../src/access/base.ts";
import type { Base, Field, FieldType } from "../src/api/type.ts";
import type { Context } from "../src/field/context.ts";
import { english } from "../src/locale/locale.ts";

/** Returns a field of a type with the configuration that its values need. */
export const fieldOf = (type: FieldType): Field => ({
  id: `fld_${type}`,
  name: `The ${type}`,
  type,
  isPrimary: false,
  order: 0,
  config: configs[type] ?? {},
});

const options = [{ name: "Open", color: "green" }, { name: "Done" }];
const configs: Partial<Record<FieldType, Field["config"]>> = {
  currency: { symbol: "€" },
  rating: { max: 5 },
  single_select: { options },
  multi_select: { options },
  link: { linkedTableId: "tbl_2" },
  button: { label: "Map", url: "https://example.com/?q={The text}" },
};

export const context: Context = {
  locale: english,
  people: [
    { id: "usr_1", name: "Ada Lovelace", email: "ada@example.com" },
    { id: "usr_2", name: "Grace Hopper", email: "grace@example.com" },
  ],
  nameOf: (id) => (id === "rec_1" ? "Oslo" : undefined),
};

/** A value of each type and its text. A button has none. */
export const samples: Record<Exclude<FieldType, "button">, { value: unknown; shown: string }> = {
  text: { value: "Hello", shown: "Hello" },
  long_text: { value: "One\nTwo", shown: "One\nTwo" },
  email: { value: "ada@example.com", shown: "ada@example.com" },
  url: { value: "https://example.com/", shown: "https://example.com/" },
  phone: { value: "+44 20", shown: "+44 20" },
  number: { value: 1234.5, shown: "1234.5" },
  currency: { value: 1234.5, shown: "€1,234.50" },
  percent: { value: 25, shown: "25%" },
  rating: { value: 3, shown: "3" },
  duration: { value: 5400, shown: "1:30" },
  checkbox: { value: true, shown: "Yes" },
  date: { value: "2025-01-31", shown: "2025-01-31" },
  datetime: { value: "2025-01-31T14:30:00Z", shown: "2025-01-31 14:30" },
  single_select: { value: "Open", shown: "Open" },
  multi_select: { value: ["Open", "Done"], shown: "Open, Done" },
  user: { value: "usr_1", shown: "Ada Lovelace" },
  attachment: { value: [{ id: "fil_1", name: "a.png", size: 1, type: "image/png" }], shown: "a.png" },
  json: { value: { a: 1 }, shown: '{"a":1}' },
  link: { value: ["rec_1"], shown: "Oslo" },
  formula: { value: { error: "division_by_zero", message: "It divides by zero." }, shown: "#ERROR" },
  lookup: { value: ["a", 1.5, true], shown: "a, 1.5, Yes" },
  rollup: { value: 12.5, shown: "12.5" },
  count: { value: 3, shown: "3" },
  auto_number: { value: 7, shown: "7" },
  created_time: { value: "2025-01-31T14:30:00Z", shown: "2025-01-31 14:30" },
  last_modified_time: { value: "2025-01-31T14:30:00Z", shown: "2025-01-31 14:30" },
  created_by: { value: "usr_1", shown: "Ada Lovelace" },
  last_modified_by: { value: "usr_2", shown: "Grace Hopper" },
};

// jsdom has no scrolling, and pointer events only of a mouse.
Element.prototype.scrollIntoView = () => undefined;
window.PointerEvent ??= MouseEvent as typeof PointerEvent;

/** The timeout in milliseconds of a test that opens lists, which is slow on a busy machine. */
export const slowTimeout = 60_000;

const open: OpenBase = {
  base: { id: "bas_1", name: "B", tables: [] } as unknown as Base,
  orgId: null,
  role: "creator",
  people: context,
  names: { learn: () => undefined, want: () => undefined },
};

/** Renders its children inside an open base. */
export function InBase({ children }: { children: ReactNode }) {
  return <BaseContext value={open}>{children}</BaseContext>;
}
