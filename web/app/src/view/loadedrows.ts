import { useEffect, useMemo } from "react";
import type { Row } from "../api/type.ts";
import { useVersion } from "../record/rows.ts";
import type { RowSource } from "../record/source.ts";

/** The rows of a view that shows all of them at once, up to a bound. */
export function useLoadedRows(source: RowSource, max: number): Row[] {
  const version = useVersion(source);
  useEffect(() => source.ensure(0, max - 1), [source, version, max]);
  // oxlint-disable-next-line react/exhaustive-deps -- a new version is what makes new rows
  return useMemo(() => source.loaded().slice(0, max), [source, version, max]);
}
