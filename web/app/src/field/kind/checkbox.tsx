import { SquareCheck } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { CardText } from "../control/card.tsx";
import { CheckboxControl } from "../control/index.ts";
import type { FieldKind } from "../kind.ts";

const written = (value: unknown) => (value === true ? "true" : "false");

export const checkbox: FieldKind = {
  name: { en: "Checkbox", de: "Kontrollkästchen", fr: "Case à cocher" },
  group: "choice",
  icon: SquareCheck,
  width: 90,
  format: (value, _field, { locale }) => (value === true ? textOf(locale).field.checked : ""),
  parse: (entry, _field, { locale }) => {
    if (/^(0|no|false|off|n|unchecked)$/i.test(entry)) return { value: false };
    if (/^(1|yes|true|on|y|x|✓|checked)$/i.test(entry)) return { value: true };
    return { error: textOf(locale).field.invalid.checkbox(entry) };
  },
  empty: false,
  example: () => true,
  copy: written,
  cell: { box: true },
  Control: CheckboxControl,
  Card: ({ context }) => <CardText>{textOf(context.locale).field.checked}</CardText>,
  csv: { offered: true },
  stack: {
    columns: (_field, { locale }) => {
      const { checked, unchecked } = textOf(locale).field;
      return {
        named: [
          { id: "", label: unchecked, tone: "gray", value: false },
          { id: "true", label: checked, tone: "green", value: true },
        ],
      };
    },
    idsOf: (value) => [value === true ? "true" : ""],
  },
};
