import { useQueries } from "@tanstack/react-query";
import { useCallback } from "react";
import { useBase } from "../access/base.ts";
import { fieldQuery } from "../api/query.ts";
import type { Field, Filter, Table } from "../api/type.ts";

/** Finds what a field of the base is called, with its table where that is not the given one. */
export function useFieldNames(tableId: string | undefined): (fieldId: string) => string | undefined {
  const { base } = useBase();
  return useCallback(
    (fieldId) => {
      for (const table of base.tables) {
        const field = table.fields.find((one) => one.id === fieldId);
        if (field) return table.id === tableId ? field.name : `${table.name} · ${field.name}`;
      }
      return undefined;
    },
    [base, tableId],
  );
}

/**
 * What computes from a field: the names of the fields, and for fields of other tables also the
 * table's name. A link is read from both of its sides, which are deleted together.
 */
export function useReaders(field: Field | undefined, tableId: string | undefined) {
  const nameOf = useFieldNames(tableId);
  const sides = field ? [field.id, field.config?.inverseFieldId].filter((id) => id !== undefined) : [];
  const read = useQueries({ queries: sides.map((id) => fieldQuery(id)) });
  const readers = read.flatMap(({ data }) => data?.readBy ?? []).filter(({ id }) => !sides.includes(id));
  return {
    pending: read.some(({ isFetching }) => isFetching),
    failed: read.some(({ data, isFetching }) => !isFetching && !data),
    names: [...new Set(readers.map(({ id, name }) => nameOf(id) ?? name))],
  };
}

/** The names of a table's views whose filters name a field. */
export function viewsFilteringBy(table: Table, fieldId: string): string[] {
  const mentions = (list: Filter[]): boolean =>
    list.some((filter) => {
      if ("and" in filter) return mentions(filter.and);
      return "or" in filter ? mentions(filter.or) : filter.fieldId === fieldId;
    });
  const filtering = table.views.filter((view) => view.type !== "form" && mentions(view.config.filters ?? []));
  return filtering.map((view) => view.name);
}
