import type { ReactNode } from "react";
import type { Field, Row } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import { kindOf } from "../field/kind.ts";
import { here } from "../record/address.ts";
import { attachmentsOf, format, isEmpty, linkedOf, listOf, optionTone, peopleOf } from "../field/value.ts";
import { text } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { toneOf } from "../ui/tone.ts";

/** A value as it stands on a card: coloured labels for choices and people, text for the rest. */
export function CardValue({ field, value }: { field: Field; value: unknown }) {
  const { people } = useOpened();
  const shape = kindOf(field.type).shape;
  const labels =
    shape === "choice" || shape === "choices"
      ? listOf(value).map((name) => ({ id: name, label: name, tone: optionTone(field, name) }))
      : shape === "user"
        ? peopleOf(value, people).map((person) => ({ id: person.id, label: person.name, tone: toneOf(person.id) }))
        : shape === "link"
          ? linkedOf(value, people).map((record) => ({ id: record.id, label: record.name || text.base.record.untitled, tone: "gray" as const }))
          : undefined;
  if (labels) {
    return (
      <span className="flex flex-wrap gap-1">
        {labels.map((label) => (
          <span key={label.id} className="tone" data-tone={label.tone}>
            {label.label}
          </span>
        ))}
      </span>
    );
  }
  if (field.type === "rating") return <span aria-label={text.field.stars(Number(value), field.config?.max ?? 5)}>{"★".repeat(Number(value))}</span>;
  return <span className="line-clamp-2 break-words">{format(value, field, people)}</span>;
}

type CardProps = { row: Row; fields: Field[]; cover?: Field; onOpen: () => void; className?: string; children?: ReactNode };

/** A record as a card: its name, and the fields that are not empty. */
export function Card({ row, fields, cover, onOpen, className, children }: CardProps) {
  const { people } = useOpened();
  const primary = fields.find((field) => field.isPrimary);
  const shown = fields.filter((field) => !field.isPrimary && field.id !== cover?.id && field.type !== "button" && !isEmpty(row.fields[field.name]) && row.fields[field.name] !== false);
  const picture = cover && coverOf(row, cover);
  return (
    <div className={join("relative overflow-hidden rounded-lg border border-line bg-surface shadow-low transition-colors hover:border-line-strong", className)}>
      {cover && (
        <div className="grid h-36 place-items-center border-b border-line bg-sunken text-faint">
          {picture && <img src={picture} alt="" className="size-full object-cover" referrerPolicy="no-referrer" />}
        </div>
      )}
      <div className="p-3">
        <div className="flex items-start gap-1">
          <button type="button" onClick={onOpen} className="min-w-0 flex-1 text-left font-[580] break-words after:absolute after:inset-0 after:rounded-lg">
            {(primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled}
          </button>
          {children && <div className="relative z-1 -mt-1 -mr-1.5">{children}</div>}
        </div>
        {shown.length > 0 && (
          <dl className="mt-2 flex flex-col gap-1.5">
            {shown.slice(0, 7).map((field) => (
              <div key={field.id} className="flex items-baseline gap-2">
                <dt className="w-20 shrink-0 truncate text-[12.5px] text-faint">{field.name}</dt>
                <dd className="min-w-0 flex-1 text-[13px]">
                  <CardValue field={field} value={row.fields[field.name]} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}

function coverOf(row: Row, cover: Field): string | undefined {
  const value = row.fields[cover.name];
  if (cover.type === "attachment") {
    const file = attachmentsOf(value).find((one) => one.type?.startsWith("image/"));
    const address = file?.thumbnailUrl ?? file?.url;
    return address && here(address);
  }
  return typeof value === "string" && value.startsWith("https://") ? value : undefined;
}
