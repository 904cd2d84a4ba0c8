import { Square, SquareCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { Field } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { CardLabels } from "../field/control/card.tsx";
import { isBox, isEmpty, type Pen } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { format } from "../field/value.ts";
import { textOf } from "../text/index.ts";

/** A value as the grid draws it, outside of the grid. */
export function drawn(value: unknown, field: Field, context: Context): ReactNode {
  const kind = kindOf(field.type);
  const { cell } = kind;
  if (isBox(kind, value)) {
    const { checked, unchecked } = textOf(context.locale).field;
    const Box = value === true ? SquareCheck : Square;
    return (
      <span className="flex items-center gap-2">
        <Box size={17} className={value === true ? "text-accent" : "text-faint"} aria-hidden />
        {value === true ? checked : unchecked}
      </span>
    );
  }
  if (isEmpty(value)) return undefined;
  const lines: ReactNode[] = [];
  const text = (shown: string) =>
    void lines.push(<span className="break-words whitespace-pre-wrap tabular-nums">{shown}</span>);
  const pen: Pen = {
    text,
    button: text,
    labels: (labels) => void lines.push(<CardLabels labels={labels} />),
    files: (files) => void lines.push(<CardLabels labels={files.map(({ id, name }) => ({ id, label: name }))} />),
    stars: (count, max) =>
      void lines.push(
        <span role="img" aria-label={textOf(context.locale).field.stars(count, max)}>
          <span className="text-warn">{"★".repeat(count)}</span>
          <span className="text-line-strong">{"★".repeat(Math.max(0, max - count))}</span>
        </span>,
      ),
  };
  if (cell.draw) cell.draw(pen, value, field, context);
  else text(format(value, field, context));
  return lines[0];
}
