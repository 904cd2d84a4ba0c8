import { Phone } from "lucide-react";
import { textual } from "../base/text.tsx";
import { TypedControl } from "../control/index.ts";
import type { FieldKind } from "../kind.ts";

export const phone: FieldKind = {
  ...textual,
  name: { en: "Phone number" },
  icon: Phone,
  width: 150,
  example: () => "+44 20 7946 0958",
  Control: (props) => <TypedControl {...props} inputMode="tel" type="tel" />,
};
