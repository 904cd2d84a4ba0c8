import { useEffect, useMemo, useState } from "react";
import type { Field, Row, Sort, Table, Values } from "../api/type.ts";
import { factsOf } from "../field/facts.ts";
import { likeOf } from "../field/result.ts";
import { isWritable } from "../field/value.ts";
import { GroupedRows, type Grouping, type Head, leavesOf } from "../grid/grouped.ts";
import type { RowSource } from "../record/source.ts";
import { type Totals, useTotals } from "../record/totals.ts";
import { groupSorts } from "./group.ts";

/** Moments are grouped by their days. */
export function groupingOf(field: Field): Grouping {
  const { type } = likeOf(field);
  if (factsOf(type).operators.gt !== "time" || type === "date") return { field, by: field.id, name: field.name };
  const day = `day(${field.name})`;
  return { field, by: day, name: day };
}

const foldedKey = (viewId: string) => `rowhouse.folded.${viewId}`;

function readFolded(viewId: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(foldedKey(viewId)) ?? "[]") as string[]);
  } catch {
    return new Set();
  }
}

/** The groups of a view that a person has folded, which this browser keeps. */
export function useFolded(viewId: string) {
  const [state, setState] = useState(() => ({ viewId, folded: readFolded(viewId) }));
  if (state.viewId !== viewId) setState({ viewId, folded: readFolded(viewId) });
  const setFolded = (folded: ReadonlySet<string>) => {
    setState({ viewId, folded });
    try {
      if (folded.size === 0) localStorage.removeItem(foldedKey(viewId));
      else localStorage.setItem(foldedKey(viewId), JSON.stringify([...folded]));
    } catch {
      // Without storage they are unfolded the next time.
    }
  };
  return { folded: state.folded, setFolded };
}

const arriving = 600; // milliseconds within which rows in a new order come

/**
 * The rows of a source under the heads of their groups; undefined until the groups were read.
 * `aggregates` are computed for each group.
 */
export function useGrouped(
  source: RowSource,
  fields: readonly Field[],
  sorts: readonly Sort[],
  aggregates: Totals["aggregates"],
  folded: ReadonlySet<string>,
): GroupedRows | undefined {
  const key = JSON.stringify(fields.map(({ id, name, type, config }) => [id, name, type, config]));
  // oxlint-disable-next-line react/exhaustive-deps -- the key is all of a field that groups need
  const groupings = useMemo(() => fields.map(groupingOf), [key]);
  const order = groupSorts(fields, sorts).slice(0, fields.length);
  const wanted = groupings.map((_, depth): Totals => {
    const by = groupings.slice(0, depth + 1).map((one) => one.by);
    return { aggregates, groupBy: by, orderBy: by.map((name, at) => ({ by: name, dir: order[at]?.dir ?? "asc" })) };
  });
  const found = useTotals(source, wanted);
  const counted = found?.source;
  const rows = useMemo(() => counted && new GroupedRows(counted), [counted]);
  const shape = useMemo(() => found && JSON.stringify(leavesOf(found.totals, groupings)), [found, groupings]);
  const [arranged, setArranged] = useState<{ rows: GroupedRows; shape: string }>();
  useEffect(() => counted?.hold(), [counted]);
  useEffect(() => {
    if (!rows || !found || shape === undefined) return undefined;
    const arrange = () => {
      rows.arrange(found.totals, groupings, folded);
      if (arranged?.rows !== rows || arranged.shape !== shape) setArranged({ rows, shape });
    };
    // Rows that belong to other groups than before are read again, and move together with the heads.
    if (arranged?.rows !== rows || arranged.shape === shape) {
      arrange();
      return undefined;
    }
    found.source.refresh();
    const stop = found.source.subscribe(arrange);
    const timer = setTimeout(arrange, arriving);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [arranged, folded, found, groupings, rows, shape]);
  return fields.length > 0 ? arranged?.rows : undefined;
}

/** What of the values of groups a person may write into a new record, by field id. */
function written(values: Values, fields: readonly Field[]): Values {
  const kept = fields.filter((field) => {
    const value = values[field.id];
    const plain = typeof value === "string" || typeof value === "number" || value === true;
    return plain && isWritable(field) && groupingOf(field).by === field.id;
  });
  return Object.fromEntries(kept.map(({ id }) => [id, values[id]]));
}

/** The values of a new record in a group, by field id. */
export const valuesOf = ({ values }: Head, { fields }: Table): Values => written(values, fields);

/** The values of a new record in the group of another, by field id. */
export const groupValues = (row: Row, groups: readonly Field[]): Values =>
  written(Object.fromEntries(groups.map(({ id, name }) => [id, row.fields[name]])), groups);
