import { CircleChevronDown } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { choosing, optionsFor, parseOption } from "../base/choice.tsx";
import { OptionChooser } from "../control/index.ts";
import { optionEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";
import { listOf } from "../list.ts";
import { optionsOf, optionTone } from "../option.ts";

export const single_select: FieldKind = {
  ...choosing,
  name: { en: "Single select", de: "Einfachauswahl", fr: "Choix unique" },
  icon: CircleChevronDown,
  width: 160,
  parse: parseOption,
  example: (field) => optionsOf(field)[0]?.name,
  cell: { ...choosing.cell, Editor: optionEditor },
  Control: ({ field, value, at, disabled, onChange }) => (
    <OptionChooser
      field={field}
      at={at}
      disabled={disabled}
      multiple={false}
      selected={listOf(value)}
      onChange={([name]) => onChange(name ?? null)}
    />
  ),
  csv: { offered: true, config: optionsFor },
  stack: {
    columns: (field, { locale }) => ({
      none: { id: "", label: textOf(locale).view.uncategorized, tone: "gray", value: null },
      named: optionsOf(field).map(({ name }) => ({
        id: name,
        label: name,
        tone: optionTone(field, name),
        value: name,
      })),
    }),
    idsOf: (value) => [typeof value === "string" ? value : ""],
    first: true,
  },
};
