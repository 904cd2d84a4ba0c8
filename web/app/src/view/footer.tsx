import { Check, Sigma } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Field } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { kindOf } from "../field/kind/index.ts";
import {
  aggregateOf,
  formatSummary,
  functionName,
  functionsOf,
  summaryOf,
  type SummaryFunction,
} from "../field/summary.ts";
import type { RowSource } from "../record/source.ts";
import { type Totals, useTotals } from "../record/totals.ts";
import { useGridText } from "../text/grid.ts";
import { join } from "../ui/class.ts";
import { Menu, MenuHeading, MenuItem } from "../ui/lazypopup.tsx";

/** What the service is asked for to know what columns show of their fields. */
export function totalsOf(fields: Field[], chosen: Record<string, string> | undefined): Totals["aggregates"] {
  const shown = fields.flatMap((field) => {
    const name = summaryOf(field, chosen);
    return name ? [aggregateOf(field, name)] : [];
  });
  return [{ fn: "count" }, ...shown.slice(0, 19)];
}

type Props = {
  source: RowSource;
  /** The fields of the columns, and their widths in pixels. */
  fields: Field[];
  widths: number[];
  /** The width of what is before the first column. */
  head: number;
  frozen: number;
  chosen: Record<string, string> | undefined;
  context: Context;
  /** Holds the grid, whose sideways scroll the footer follows. */
  place: RefObject<HTMLElement | null>;
  onChoose: (field: Field, name: SummaryFunction | undefined) => void;
  /** Brings a column into view. */
  onReach: (column: number) => void;
};

/** The row below the grid: what each column shows of the values of its field. */
export function Footer({ source, fields, widths, head, frozen, chosen, context, place, onChoose, onReach }: Props) {
  const t = useGridText();
  const [open, setOpen] = useState<{ field: Field; anchor: HTMLElement }>();
  const aggregates = totalsOf(fields, chosen);
  const results = useTotals(source, aggregates.length > 1 ? [{ aggregates }] : [])?.totals[0]?.groups[0]?.results;
  const moving = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const area = place.current;
    const follow = (event: Event) => {
      const { target } = event;
      if (!(target instanceof HTMLElement) || !target.classList.contains("dvn-scroller")) return;
      if (moving.current) moving.current.style.transform = `translateX(${-target.scrollLeft}px)`;
    };
    area?.addEventListener("scroll", follow, { capture: true, passive: true });
    return () => area?.removeEventListener("scroll", follow, { capture: true });
  }, [place]);
  const cell = (field: Field, column: number) => {
    const name = summaryOf(field, chosen);
    const offered = functionsOf(field);
    const { align } = kindOf(field.type).cell;
    const right = (typeof align === "function" ? align(field) : align) === "right";
    const label = name && functionName(field, name, t, true);
    const value = name && results ? formatSummary(field, name, results, context) : "";
    const expanded = open?.field.id === field.id;
    return (
      <div key={field.id} className="h-full shrink-0" style={{ width: widths[column] }}>
        {offered.length > 0 && (
          <button
            type="button"
            aria-haspopup="menu"
            aria-expanded={expanded}
            onFocus={() => onReach(column)}
            onClick={(event) => setOpen(expanded ? undefined : { field, anchor: event.currentTarget })}
            className={join(
              "group flex size-full items-center gap-1.5 overflow-hidden px-2.5 text-[13px] whitespace-nowrap",
              "hover:bg-hover focus-visible:-outline-offset-2",
              expanded && "bg-hover",
              right && "justify-end",
            )}
          >
            {name ? (
              <span className="flex min-w-0 gap-1" title={functionName(field, name, t)}>
                <span className="sr-only">{`${t.summaryOf(field.name)}: `}</span>
                <span className="truncate text-muted">{label}</span>{" "}
                <span className="font-[560] tabular-nums">{value}</span>
              </span>
            ) : (
              <span
                className={join(
                  "text-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100",
                  expanded && "opacity-100",
                )}
              >
                {t.summarize}
                <span className="sr-only">{` ${field.name}`}</span>
              </span>
            )}
          </button>
        )}
      </div>
    );
  };
  const close = () => {
    open?.anchor.focus();
    setOpen(undefined);
  };
  return (
    <div
      role="group"
      aria-label={t.footer}
      className="relative flex h-9 shrink-0 overflow-hidden border-t border-line bg-canvas"
    >
      <div className="z-1 flex shrink-0 bg-canvas">
        <div className="grid h-full place-items-center text-faint" style={{ width: head }}>
          <Sigma size={15} aria-hidden />
        </div>
        {fields.slice(0, frozen).map(cell)}
      </div>
      <div ref={moving} className="flex">
        {fields.slice(frozen).map((field, index) => cell(field, frozen + index))}
      </div>
      <Menu
        open={open !== undefined}
        onOpenChange={(next) => !next && close()}
        anchor={open?.anchor}
        side="top"
        align="end"
      >
        {open && (
          <>
            <MenuHeading>{t.summaryOf(open.field.name)}</MenuHeading>
            {[undefined, ...functionsOf(open.field)].map((name) => (
              <MenuItem
                key={name ?? ""}
                hint={summaryOf(open.field, chosen) === name && <Check size={15} />}
                onSelect={() => onChoose(open.field, name)}
              >
                {name ? functionName(open.field, name, t) : t.none}
              </MenuItem>
            ))}
          </>
        )}
      </Menu>
    </div>
  );
}
