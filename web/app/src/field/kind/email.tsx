import { AtSign } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { drawAddress, followLink, textual } from "../base/text.tsx";
import { TypedControl } from "../control/index.ts";
import type { FieldKind } from "../kind.ts";

const isAddress = (entry: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(entry);

const linkOf = (value: string) => (isAddress(value) ? `mailto:${value}` : undefined);
const WriteMail = followLink(linkOf);

export const email: FieldKind = {
  ...textual,
  name: { en: "E-mail", de: "E-Mail", fr: "E-mail" },
  icon: AtSign,
  width: 200,
  parse: (entry, _field, { locale }) =>
    isAddress(entry) ? { value: entry } : { error: textOf(locale).field.invalid.email(entry) },
  linkOf,
  example: () => "ada@example.com",
  cell: { ...textual.cell, draw: drawAddress },
  Control: (props) => <TypedControl {...props} inputMode="email" After={WriteMail} />,
};
