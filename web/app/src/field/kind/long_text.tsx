import { AlignLeft } from "lucide-react";
import { textual } from "../base/text.tsx";
import { TypedControl } from "../control/index.ts";
import { areaEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";

export const long_text: FieldKind = {
  ...textual,
  name: { en: "Long text" },
  icon: AlignLeft,
  width: 280,
  parse: (_entry, _field, _context, raw) => ({ value: raw.replace(/\r\n?/g, "\n") }),
  example: () => "A longer text\nwith two lines",
  cell: { Editor: areaEditor, editorWidth: 320 },
  Control: (props) => <TypedControl {...props} rows={4} />,
};
