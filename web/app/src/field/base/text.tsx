import { ExternalLink } from "lucide-react";
import { useText } from "../../text/index.ts";
import { TextCard } from "../control/card.tsx";
import { TypedControl } from "../control/index.ts";
import { lineEditor } from "../editor/index.ts";
import { type FieldKind, isEmpty, type Pen } from "../kind.ts";

/** Draws an address, which can be followed elsewhere. */
export const drawAddress = (pen: Pen, value: unknown) => pen.text(isEmpty(value) ? "" : String(value), { link: true });

const look = "grid size-8.5 shrink-0 place-items-center rounded-md border border-line-strong text-muted hover:bg-hover";

/** A link behind the input of a value that is an address. */
export function followLink(linkOf: (value: string) => string | undefined) {
  return function FollowLink({ saved }: { saved: string }) {
    const text = useText();
    const address = linkOf(saved);
    if (!address) return null;
    return (
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={`${text.field.open}: ${saved}`}
        className={look}
      >
        <ExternalLink size={15} aria-hidden />
      </a>
    );
  };
}

/** What kinds whose values are read and written as text share. */
export const textual = {
  group: "text",
  width: 220,
  format: (value) => String(value),
  parse: (entry) => ({ value: entry }),
  usualOp: "contains",
  order: "text",
  cell: { Editor: lineEditor },
  Control: TypedControl,
  Card: TextCard,
  csv: { offered: true },
} satisfies Partial<FieldKind>;
