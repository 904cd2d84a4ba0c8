import { Link2 } from "lucide-react";
import { drawAddress, followLink, textual } from "../base/text.tsx";
import { TypedControl } from "../control/index.ts";
import type { FieldKind } from "../kind.ts";

const isWeb = (entry: string) => /^https?:\/\//i.test(entry);
const isHost = (entry: string) => /^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(entry);

const linkOf = (value: string) => (isWeb(value) ? value : undefined);
const OpenLink = followLink(linkOf);

export const url: FieldKind = {
  ...textual,
  name: { en: "URL", de: "URL", fr: "URL" },
  icon: Link2,
  // An address without its scheme is what people type; the service wants it whole.
  parse: (entry) => ({ value: isHost(entry) ? `https://${entry}` : entry }),
  example: () => "https://example.com",
  linkOf,
  cell: { ...textual.cell, draw: drawAddress },
  Control: (props) => <TypedControl {...props} inputMode="url" After={OpenLink} />,
  cover: {
    addressOf: (value) => (typeof value === "string" && value.startsWith("https://") ? value : undefined),
  },
};
