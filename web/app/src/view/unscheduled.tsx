import { CalendarPlus, X } from "lucide-react";
import { useId } from "react";
import type { Row } from "../api/type.ts";
import { useTimelineText } from "../text/timeline.ts";
import { IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import type { Tone } from "../ui/tone.ts";

export const dragType = "text/x-rowhouse-record"; // of a record that is dragged onto a timeline

type Props = {
  rows: Row[];
  total: number;
  nameOf: (row: Row) => string;
  toneOf: (row: Row) => Tone | undefined;
  movable: boolean;
  onOpen: (recordId: string) => void;
  onToday: (row: Row) => void;
  onClose: () => void;
};

/** The records that have no start. They are dragged to a day, or put on today. */
export function Unscheduled({ rows, total, nameOf, toneOf, movable, onOpen, onToday, onClose }: Props) {
  const t = useTimelineText();
  const id = useId();
  return (
    <aside
      aria-labelledby={id}
      className={join(
        "flex shrink-0 flex-col border-line bg-surface max-sm:max-h-[40%] max-sm:border-t",
        "sm:w-64 sm:border-l",
      )}
    >
      <header className="flex h-11 shrink-0 items-center gap-2 pr-2 pl-3">
        <h3 id={id} className="text-[14px] font-[580]">
          {t.unscheduled}
        </h3>
        <span className="flex-1 text-[13px] text-faint tabular-nums">{total}</span>
        <IconButton size="sm" label={t.close} onClick={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </header>
      {rows.length === 0 ? (
        <p className="px-3 pb-3 text-[13px] text-muted">{t.unscheduledNone}</p>
      ) : (
        <>
          {movable && <p className="px-3 pb-2 text-[12.5px] text-muted max-sm:hidden">{t.unscheduledHint}</p>}
          <ul className="flex min-h-0 flex-1 flex-col gap-1 overflow-y-auto px-2 pb-3">
            {rows.map((row) => {
              const tone = toneOf(row);
              return (
                <li
                  key={row.id}
                  className={join(
                    "relative flex items-center gap-1 overflow-hidden rounded-md border border-line pl-2.5",
                    "hover:border-line-strong",
                  )}
                >
                  {tone && (
                    <span data-tone={tone} aria-hidden className="absolute inset-y-0 left-0 w-1 bg-(--tone-ink)" />
                  )}
                  <button
                    type="button"
                    draggable={movable}
                    onDragStart={(event) => {
                      event.dataTransfer.effectAllowed = "move";
                      event.dataTransfer.setData(dragType, row.id);
                    }}
                    onClick={() => onOpen(row.id)}
                    className="min-w-0 flex-1 truncate py-1.5 text-left text-[13px]"
                  >
                    {nameOf(row)}
                  </button>
                  {movable && (
                    <IconButton size="sm" label={t.putOnToday(nameOf(row))} onClick={() => onToday(row)}>
                      <CalendarPlus size={14} aria-hidden />
                    </IconButton>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </aside>
  );
}
