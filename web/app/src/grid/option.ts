import type { Field } from "../api/type.ts";
import { splitNames } from "../field/list.ts";
import { optionsOf } from "../field/option.ts";
import { isWritable } from "../field/value.ts";
import type { Copied } from "./clip.ts";
import type { Texts } from "./clipboard.ts";

const longest = 100; // letters of a name that becomes an option
const most = 100; // options that one paste makes of a field

/**
 * The names in pasted columns that are no options of their fields yet, by field. `fields` are those
 * from the first column on. A column with more names than a list should have is left as it is.
 */
export function missingOptions(texts: Texts, copied: Copied | undefined, fields: Field[]): Map<Field, string[]> {
  const missing = new Map<Field, string[]>();
  fields.forEach((field, x) => {
    if ((field.type !== "single_select" && field.type !== "multi_select") || !isWritable(field)) return;
    const known = new Set(optionsOf(field).map(({ name }) => name.toLowerCase()));
    const names = new Map<string, string>();
    texts.forEach((line, y) => {
      const cell = line[x]?.trim() ?? "";
      if (copied?.values[y]?.[x]?.field.id === field.id) return;
      for (const name of field.type === "multi_select" ? splitNames(cell) : [cell])
        if (name !== "" && !known.has(name.toLowerCase()) && !names.has(name.toLowerCase()))
          names.set(name.toLowerCase(), name);
    });
    const list = [...names.values()];
    if (list.length > 0 && list.length <= most && list.every((name) => name.length <= longest && !name.includes("\n")))
      missing.set(field, list);
  });
  return missing;
}
