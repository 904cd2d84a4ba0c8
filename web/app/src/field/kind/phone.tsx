import { Phone } from "lucide-react";
import { drawAddress, followLink, textual } from "../base/text.tsx";
import { TypedControl } from "../control/index.ts";
import type { FieldKind } from "../kind.ts";

const linkOf = (value: string) => {
  const number = value.replace(/[^\d+]/g, "");
  return number.length > 2 ? `tel:${number}` : undefined;
};
const Call = followLink(linkOf);

export const phone: FieldKind = {
  ...textual,
  name: { en: "Phone number", de: "Telefonnummer", fr: "Numéro de téléphone" },
  icon: Phone,
  width: 150,
  linkOf,
  example: () => "+44 20 7946 0958",
  cell: { ...textual.cell, draw: drawAddress },
  Control: (props) => <TypedControl {...props} inputMode="tel" type="tel" After={Call} />,
};
