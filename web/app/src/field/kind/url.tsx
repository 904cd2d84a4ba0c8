import { ExternalLink, Link2 } from "lucide-react";
import { useText } from "../../text/index.ts";
import { drawAddress, textual } from "../base/text.tsx";
import { TypedControl } from "../control/index.ts";
import type { FieldKind } from "../kind.ts";

const isWeb = (entry: string) => /^https?:\/\//i.test(entry);
const isHost = (entry: string) => /^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(entry);

const look = "grid size-8.5 shrink-0 place-items-center rounded-md border border-line-strong text-muted hover:bg-hover";

function OpenLink({ saved }: { saved: string }) {
  const text = useText();
  if (!isWeb(saved)) return null;
  return (
    <a
      href={saved}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`${text.field.open}: ${saved}`}
      className={look}
    >
      <ExternalLink size={15} aria-hidden />
    </a>
  );
}

export const url: FieldKind = {
  ...textual,
  name: { en: "URL" },
  icon: Link2,
  // An address without its scheme is what people type; the service wants it whole.
  parse: (entry) => ({ value: isHost(entry) ? `https://${entry}` : entry }),
  example: () => "https://example.com",
  cell: { ...textual.cell, draw: drawAddress },
  Control: (props) => <TypedControl {...props} inputMode="url" After={OpenLink} />,
  cover: {
    addressOf: (value) => (typeof value === "string" && value.startsWith("https://") ? value : undefined),
  },
};
