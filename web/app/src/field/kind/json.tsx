import { Braces } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { CardText } from "../control/card.tsx";
import { TypedControl } from "../control/index.ts";
import { areaEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";

export const json: FieldKind = {
  name: { en: "JSON", de: "JSON", fr: "JSON" },
  group: "relation",
  icon: Braces,
  width: 220,
  format: (value) => JSON.stringify(value),
  entry: (value) => JSON.stringify(value, null, 2),
  parse: (entry, _field, { locale }) => {
    try {
      return { value: JSON.parse(entry) as unknown };
    } catch {
      return { error: textOf(locale).field.invalid.json };
    }
  },
  example: () => ({ any: ["json"] }),
  cell: { Editor: areaEditor },
  Control: (props) => <TypedControl {...props} rows={6} className="font-mono text-[13px]" />,
  Card: ({ value }) => <CardText>{JSON.stringify(value)}</CardText>,
  csv: {},
};
