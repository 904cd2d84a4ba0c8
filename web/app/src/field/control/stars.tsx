import { Star } from "lucide-react";
import { useText } from "../../text/index.ts";
import type { ControlProps } from "../kind.ts";

export type StarsProps = ControlProps & { max: number };

/** A number of stars, to be chosen with the pointer or the keyboard. */
export function StarsControl({ field, value, at, disabled, onChange, max }: StarsProps) {
  const text = useText();
  const now = typeof value === "number" ? value : 0;
  return (
    <div id={at.id} role="radiogroup" aria-label={field.name} className="flex h-8.5 items-center">
      {Array.from({ length: max }, (_, index) => index + 1).map((star) => (
        <button
          key={star}
          type="button"
          role="radio"
          aria-checked={star === now}
          aria-label={text.field.stars(star, max)}
          disabled={disabled}
          onClick={() => onChange(star === now ? null : star)}
          className="rounded p-1"
        >
          <Star
            size={20}
            className={star <= now ? "text-warn" : "text-line-strong"}
            fill={star <= now ? "currentColor" : "none"}
            aria-hidden
          />
        </button>
      ))}
    </div>
  );
}
