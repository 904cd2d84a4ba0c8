// Writes what the application needs of GET /field-types as a TypeScript module: the keys of each
// type's configuration with their limits, its filter operators with their operands, and what the
// type can do. Texts and JSON Schemas stay behind, because they would only make the first load of
// the application larger.

const limits = ["enum", "minimum", "maximum", "maxLength"];

function configOf({ configSchema }) {
  const keys = Object.entries(configSchema.properties).filter(([, schema]) => schema.readOnly !== true);
  return Object.fromEntries(
    keys.map(([key, schema]) => [key, Object.fromEntries(Object.entries(schema).filter(([name]) => limits.includes(name)))]),
  );
}

function typeOf(served) {
  return {
    operators: Object.fromEntries(served.operators.map(({ op, operand }) => [op, operand])),
    readOnly: served.readOnly,
    holdsValues: served.valueSchema.type !== "null",
    primary: served.primary,
    sortable: served.sortable,
    groupable: served.groupable,
    aggregates: served.aggregates,
    upsertKey: served.upsertKey,
    viewRoles: served.viewRoles,
  };
}

/** The application has fields of the types whose values are in records. */
const isListed = ({ unlisted }) => unlisted !== true;

const first = "// Written by `npm run generate` from the answer of GET /field-types; not to be edited.";

/**
 * The source of src/field/catalogue.ts for an answer of GET /field-types: what every page of a
 * table needs.
 */
export function catalogueSource({ fieldTypes, operands }) {
  const types = fieldTypes.filter(isListed).map((served) => `  ${served.type}: ${JSON.stringify(typeOf(served))},`);
  const names = operands.map(({ name }) => JSON.stringify(name));
  return `${first}

import type { FieldType } from "../api/type.ts";

/** What a filter operator compares with. */
export type Operand = ${names.join(" | ")};

/** What a view can use a field for. */
export type ViewRole = "cover" | "stack" | "start" | "end";

export type FieldTypeFacts = {
  /** The filter operators in the order of menus, with what each compares with. */
  operators: Record<string, Operand>;
  /** The service writes the values. */
  readOnly: boolean;
  holdsValues: boolean;
  /** May be the primary field. */
  primary: boolean;
  sortable: boolean;
  groupable: boolean;
  /** The functions of an aggregation. */
  aggregates: readonly string[];
  /** Records may be matched on it. */
  upsertKey: boolean;
  viewRoles: readonly ViewRole[];
};

/** The types of field, in the order in which menus show them. */
export const catalogue: Record<FieldType, FieldTypeFacts> = {
${types.join("\n")}
};
`;
}

/** The source of src/field/config/catalogue.ts: what only the form of a field needs. */
export function configSource({ fieldTypes }) {
  const types = fieldTypes.filter(isListed).map((served) => {
    const form = { config: configOf(served), convertsTo: served.convertsTo };
    return `  ${served.type}: ${JSON.stringify(form)},`;
  });
  return `${first}

import type { FieldType } from "../../api/type.ts";
import type { Limits } from "../kind.ts";

export type ConfigFacts = {
  /** The keys of the configuration that can be set, with their limits. */
  config: Record<string, Limits>;
  /** The types that a field of this type can be changed to. */
  convertsTo: readonly FieldType[];
};

export const configCatalogue: Record<FieldType, ConfigFacts> = {
${types.join("\n")}
};
`;
}
