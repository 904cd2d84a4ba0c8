import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { type OpenBase, useBase } from "../access/base.ts";
import type { Row } from "../api/type.ts";
import { dayZoneOf } from "../field/context.ts";
import { toLocalInput } from "../field/date.ts";
import { isEmpty } from "../field/kind.ts";
import { format } from "../field/value.ts";
import type { Grouping } from "../grid/grouped.ts";
import { type Totals, useTotals } from "../record/totals.ts";
import { useGridText } from "../text/grid.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Card } from "./card.tsx";
import type { RecordViewProps } from "./contract.ts";
import { chosenField, coverField } from "./fieldsetting.ts";
import { groupFields } from "./group.ts";
import { groupingOf, useFolded } from "./grouping.ts";
import { useLoadedRows } from "./loadedrows.ts";
import { useRowTone } from "./tone.ts";

const step = 100;

/** Records that stand together, under what they have in common. */
type Section = { label: string; rows: Row[] };

type LabelText = { noValue: (field: string) => string };

/** What a group is called, by the values of its fields. */
function labelOf(groupings: Grouping[], valueOf: (one: Grouping) => unknown, people: OpenBase["people"], t: LabelText) {
  return groupings
    .map((one) => {
      const value = valueOf(one);
      if (isEmpty(value)) return t.noValue(one.field.name);
      const text = String(value);
      const byDay = one.by !== one.field.id; // as moments are; a group has the day, and a record the moment
      if (byDay) return text.length > 10 ? toLocalInput(text, dayZoneOf(one.field, people)).slice(0, 10) : text;
      return format(value, one.field, people);
    })
    .join(" · ");
}

/** Puts rows that follow each other and are in the same group together. */
function sectionsOf(rows: readonly Row[], label: (row: Row) => string): Section[] {
  const sections: Section[] = [];
  for (const row of rows) {
    const of = label(row);
    if (sections.at(-1)?.label !== of) sections.push({ label: of, rows: [] });
    sections.at(-1)!.rows.push(row);
  }
  return sections;
}

/** A card for each record, in the groups of the view; more are read when they are asked for. */
export function GalleryView({ table, view, state, source, empty, onOpen }: RecordViewProps) {
  const t = useText().view;
  const own = useGridText();
  const { people } = useBase();
  const [max, setMax] = useState(step);
  const rows = useLoadedRows(source, max);
  const toneOf = useRowTone(source, state);
  const cover = chosenField(coverField, table, state.config);
  const groupings = groupFields(table.fields, state.config).map(groupingOf);
  const { folded, setFolded } = useFolded(view.id);
  const counted: Totals = { aggregates: [{ fn: "count" }], groupBy: groupings.map((one) => one.by) };
  const groups = useTotals(source, groupings.length > 0 ? [counted] : [])?.totals[0]?.groups ?? [];
  if (source.total === 0) return empty;
  const counts = new Map(
    groups.map(({ key, results }) => [labelOf(groupings, (one) => key[one.name], people, own), Number(results.count)]),
  );
  const cards = (some: readonly Row[]) => (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(260px,100%),1fr))] items-start gap-3">
      {some.map((row) => (
        <li key={row.id}>
          <Card row={row} fields={state.visible} cover={cover} tone={toneOf(row)} onOpen={() => onOpen(row.id)} />
        </li>
      ))}
    </ul>
  );
  const toggle = (label: string) =>
    setFolded(folded.has(label) ? new Set([...folded].filter((one) => one !== label)) : new Set([...folded, label]));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4">
      {groupings.length === 0
        ? cards(rows)
        : sectionsOf(rows, (row) => labelOf(groupings, (one) => row.fields[one.field.name], people, own)).map(
            ({ label, rows: some }) => (
              <section key={label} aria-label={label} className="mb-5">
                <h2 className="mb-2">
                  <button
                    type="button"
                    aria-expanded={!folded.has(label)}
                    onClick={() => toggle(label)}
                    className={join(
                      "flex w-full items-center gap-1.5 rounded-md py-1 text-left",
                      "text-[14px] font-[560] hover:bg-hover",
                    )}
                  >
                    {folded.has(label) ? <ChevronRight size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
                    {label}
                    <span className="font-normal text-muted tabular-nums">{counts.get(label) ?? some.length}</span>
                  </button>
                </h2>
                {!folded.has(label) && cards(some)}
              </section>
            ),
          )}
      {rows.length < (source.total ?? 0) && (
        <div className="flex justify-center pt-5">
          <Button onClick={() => setMax(max + step)}>{t.loadMore}</Button>
        </div>
      )}
    </div>
  );
}
