import { AlignLeft } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { textual } from "../base/text.tsx";
import { configPanel } from "../config/index.ts";
import { RichTextControl, TypedControl } from "../control/index.ts";
import { areaEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";
import { plainOf } from "../richtext/plain.ts";

const isFormatted = ({ config }: Field) => config?.format === "markdown";

export const long_text: FieldKind = {
  ...textual,
  name: { en: "Long text", de: "Langer Text", fr: "Texte long" },
  icon: AlignLeft,
  width: 280,
  format: (value, field) => (isFormatted(field) ? plainOf(String(value)) : String(value)),
  entry: String,
  copy: String,
  parse: (_entry, _field, _context, raw) => ({ value: raw.replace(/\r\n?/g, "\n") }),
  example: () => "A longer text\nwith two lines",
  cell: { Editor: areaEditor, editorWidth: 320 },
  Control: (props) =>
    isFormatted(props.field) ? <RichTextControl {...props} /> : <TypedControl {...props} rows={4} />,
  Config: configPanel("LongTextConfig"),
};
