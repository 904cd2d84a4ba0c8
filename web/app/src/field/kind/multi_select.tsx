import { ListChecks } from "lucide-react";
import { choosing, parseEach, parseOption } from "../base/choice.tsx";
import { OptionChooser } from "../control/index.ts";
import { optionsEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";
import { joinNames, listOf } from "../list.ts";
import { optionsOf } from "../option.ts";

const names = (value: unknown) => joinNames(listOf(value));

export const multi_select: FieldKind = {
  ...choosing,
  name: { en: "Multiple select", de: "Mehrfachauswahl", fr: "Choix multiple" },
  icon: ListChecks,
  width: 220,
  parse: (entry, field, context) => parseEach(entry, (name) => parseOption(name, field, context)),
  example: (field) => {
    const some = optionsOf(field).slice(0, 2);
    return some.length > 0 ? some.map((option) => option.name) : undefined;
  },
  copy: names,
  cell: { ...choosing.cell, Editor: optionsEditor, padding: 40 },
  Control: ({ field, value, at, disabled, onChange }) => (
    <OptionChooser
      field={field}
      at={at}
      disabled={disabled}
      multiple
      selected={listOf(value)}
      onChange={onChange}
    />
  ),
  csv: { offered: true },
};
