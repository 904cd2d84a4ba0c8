// Written by `npm run generate` from the answer of GET /field-types; not to be edited.

import type { FieldType } from "../api/type.ts";

/** What a filter operator compares with. */
export type Operand = "text" | "texts" | "none" | "number" | "number_range" | "numbers" | "boolean" | "time" | "time_range" | "option" | "options" | "users" | "records";

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
  viewRoles: readonly ViewRole[];
};

/** The types of field, in the order in which menus show them. */
export const catalogue: Record<FieldType, FieldTypeFacts> = {
  text: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["cover"]},
  long_text: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["cover"]},
  email: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["cover"]},
  url: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["cover"]},
  phone: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["cover"]},
  number: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"viewRoles":[]},
  currency: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"viewRoles":[]},
  percent: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"viewRoles":[]},
  rating: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"viewRoles":[]},
  duration: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"viewRoles":[]},
  checkbox: {"operators":{"eq":"boolean"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["stack"]},
  date: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"viewRoles":["start","end"]},
  datetime: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"viewRoles":["start","end"]},
  single_select: {"operators":{"eq":"option","neq":"option","in":"options","not_in":"options","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["stack"]},
  multi_select: {"operators":{"has_any":"options","has_all":"options","has_none":"options","is_exactly":"options","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":false,"aggregates":["count"],"viewRoles":[]},
  user: {"operators":{"has_any":"users","has_all":"users","has_none":"users","is_exactly":"users","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["stack"]},
  attachment: {"operators":{"is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":false,"groupable":false,"aggregates":["count"],"viewRoles":["cover"]},
  json: {"operators":{"is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":false,"groupable":false,"aggregates":["count"],"viewRoles":[]},
  link: {"operators":{"has_any":"records","has_all":"records","has_none":"records","is_exactly":"records","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":false,"groupable":false,"aggregates":["count"],"viewRoles":[]},
  formula: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":[]},
  lookup: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":[]},
  rollup: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":[]},
  count: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":[]},
  button: {"operators":{},"readOnly":false,"holdsValues":false,"primary":false,"sortable":false,"groupable":false,"aggregates":[],"viewRoles":[]},
  auto_number: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"viewRoles":[]},
  created_time: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"viewRoles":["start","end"]},
  last_modified_time: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"viewRoles":["start","end"]},
  created_by: {"operators":{"has_any":"users","has_all":"users","has_none":"users","is_exactly":"users","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["stack"]},
  last_modified_by: {"operators":{"has_any":"users","has_all":"users","has_none":"users","is_exactly":"users","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"viewRoles":["stack"]},
};
