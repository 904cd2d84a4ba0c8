import { Star } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { textOf, useText } from "../../text/index.ts";
import { numeric, parseNumber } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import type { Context } from "../context.ts";
import { StarsControl } from "../control/index.ts";
import type { FieldKind } from "../kind.ts";

const maxOf = (field: Field) => field.config?.max ?? 5;
const starsOf = (value: unknown) => (typeof value === "number" ? value : 0);

function parse(entry: string, field: Field, context: Context) {
  const parsed = parseNumber(entry, context);
  if (parsed.error !== undefined) return parsed;
  const value = parsed.value as number;
  const max = maxOf(field);
  if (Number.isInteger(value) && value >= 0 && value <= max) return { value: value === 0 ? null : value };
  return { error: textOf(context.locale).field.invalid.rating(max) };
}

export const rating: FieldKind = {
  ...numeric,
  name: { en: "Rating", de: "Bewertung", fr: "Note" },
  icon: Star,
  width: 140,
  format: (value) => String(value),
  parse,
  example: (field) => Math.min(4, maxOf(field)),
  accepts: () => false, // another field's number may be more than there are stars
  cell: {
    draw: (pen, value, field) => pen.stars(starsOf(value), maxOf(field)),
    Editor: numeric.cell.Editor,
  },
  Control: (props) => <StarsControl {...props} max={maxOf(props.field)} />,
  Card: function RatingCard({ value, field }) {
    const text = useText();
    return <span aria-label={text.field.stars(starsOf(value), maxOf(field))}>{"★".repeat(starsOf(value))}</span>;
  },
  Config: configPanel("RatingConfig"),
};
