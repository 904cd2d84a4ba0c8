import type { FieldType } from "../api/type.ts";
import { catalogue, type FieldTypeFacts } from "./catalogue.ts";

const unknown: FieldTypeFacts = {
  operators: {},
  readOnly: true,
  holdsValues: true,
  primary: false,
  sortable: false,
  groupable: false,
  aggregates: [],
  upsertKey: false,
  viewRoles: [],
};

/**
 * What the service says of a type of field. A type that this version does not know can be read
 * only.
 */
export function factsOf(type: FieldType): FieldTypeFacts {
  return (catalogue as Partial<typeof catalogue>)[type] ?? unknown;
}

/** The types of field, in the order in which menus show them. */
export const fieldTypes = Object.keys(catalogue) as FieldType[];
