import type { ReactNode } from "react";
import type { Field, Row } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { isEmpty } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { format } from "../field/value.ts";
import { useText } from "../text/index.ts";
import { join } from "../ui/class.ts";
import type { Tone } from "../ui/tone.ts";

type CardProps = {
  row: Row;
  fields: Field[];
  cover?: Field;
  tone?: Tone;
  onOpen: () => void;
  className?: string;
  children?: ReactNode;
};

/** A record as a card: its name, and the fields that are not empty. */
export function Card({ row, fields, cover, tone, onOpen, className, children }: CardProps) {
  const text = useText();
  const { people } = useBase();
  const primary = fields.find((field) => field.isPrimary);
  const filled = (field: Field) => !isEmpty(row.fields[field.name]) && row.fields[field.name] !== false;
  const shown = fields.flatMap((field) => {
    const Value = kindOf(field.type).Card;
    return !Value || field.isPrimary || field.id === cover?.id || !filled(field) ? [] : [{ field, Value }];
  });
  const picture = cover && kindOf(cover.type).cover?.addressOf(row.fields[cover.name]);
  return (
    <div
      className={join(
        "relative overflow-hidden rounded-lg border border-line bg-surface shadow-low transition-",
        "colors hover:border-line-strong",
        className,
      )}
    >
      {tone && <span data-tone={tone} aria-hidden className="absolute inset-y-0 left-0 z-1 w-1 bg-(--tone-ink)" />}
      {cover && (
        <div className="grid h-36 place-items-center border-b border-line bg-sunken text-faint">
          {picture && <img src={picture} alt="" className="size-full object-cover" referrerPolicy="no-referrer" />}
        </div>
      )}
      <div className="p-3">
        <div className="flex items-start gap-1">
          <button
            type="button"
            onClick={onOpen}
            className="min-w-0 flex-1 text-left font-[580] break-words after:absolute after:inset-0 after:rounded-lg"
          >
            {(primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled}
          </button>
          {children && <div className="relative z-1 -mt-1 -mr-1.5">{children}</div>}
        </div>
        {shown.length > 0 && (
          <dl className="mt-2 flex flex-col gap-1.5">
            {shown.slice(0, 7).map(({ field, Value }) => (
              <div key={field.id} className="flex items-baseline gap-2">
                <dt className="w-20 shrink-0 truncate text-[12.5px] text-faint">{field.name}</dt>
                <dd className="min-w-0 flex-1 text-[13px]">
                  <Value field={field} value={row.fields[field.name]} context={people} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}
