import type { Field } from "../../api/type.ts";
import type { Context } from "../context.ts";
import type { Label } from "../kind.ts";

/** A text on a card. */
export function CardText({ children }: { children: string }) {
  return <span className="line-clamp-2 break-words">{children}</span>;
}

type CardProps = { value: unknown; field: Field; context: Context };

/** A text value on a card, as it is. */
export function TextCard({ value }: CardProps) {
  return <CardText>{String(value)}</CardText>;
}

/** Labels on a card; those without a tone are grey. */
export function CardLabels({ labels }: { labels: Label[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {labels.map((label) => (
        <span key={label.id} className="tone" data-tone={label.tone ?? "gray"}>
          {label.label}
        </span>
      ))}
    </span>
  );
}
