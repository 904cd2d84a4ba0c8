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
  /** Records may be matched on it. */
  upsertKey: boolean;
  viewRoles: readonly ViewRole[];
};

/** The types of field, in the order in which menus show them. */
export const catalogue: Record<FieldType, FieldTypeFacts> = {
  text: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":true,"viewRoles":["cover"]},
  long_text: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":true,"viewRoles":["cover"]},
  email: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":true,"viewRoles":["cover"]},
  url: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":true,"viewRoles":["cover"]},
  phone: {"operators":{"eq":"text","neq":"text","contains":"text","not_contains":"text","starts_with":"text","ends_with":"text","in":"texts","not_in":"texts","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":true,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":true,"viewRoles":["cover"]},
  number: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"upsertKey":true,"viewRoles":[]},
  currency: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"upsertKey":true,"viewRoles":[]},
  percent: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"upsertKey":true,"viewRoles":[]},
  rating: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"upsertKey":true,"viewRoles":[]},
  duration: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"upsertKey":true,"viewRoles":[]},
  checkbox: {"operators":{"eq":"boolean"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":["stack"]},
  date: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"upsertKey":true,"viewRoles":["start","end"]},
  datetime: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"upsertKey":true,"viewRoles":["start","end"]},
  single_select: {"operators":{"eq":"option","neq":"option","in":"options","not_in":"options","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":true,"viewRoles":["stack"]},
  multi_select: {"operators":{"has_any":"options","has_all":"options","has_none":"options","is_exactly":"options","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":false,"aggregates":["count"],"upsertKey":false,"viewRoles":[]},
  user: {"operators":{"has_any":"users","has_all":"users","has_none":"users","is_exactly":"users","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":["stack"]},
  attachment: {"operators":{"is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":false,"groupable":false,"aggregates":["count"],"upsertKey":false,"viewRoles":["cover"]},
  json: {"operators":{"is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":false,"groupable":false,"aggregates":["count"],"upsertKey":false,"viewRoles":[]},
  link: {"operators":{"has_any":"records","has_all":"records","has_none":"records","is_exactly":"records","is_empty":"none","is_not_empty":"none"},"readOnly":false,"holdsValues":true,"primary":false,"sortable":false,"groupable":false,"aggregates":["count"],"upsertKey":false,"viewRoles":[]},
  formula: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":[]},
  lookup: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":[]},
  rollup: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":[]},
  count: {"operators":{"is_empty":"none","is_not_empty":"none","is_error":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":[]},
  button: {"operators":{},"readOnly":false,"holdsValues":false,"primary":false,"sortable":false,"groupable":false,"aggregates":[],"upsertKey":false,"viewRoles":[]},
  auto_number: {"operators":{"eq":"number","neq":"number","gt":"number","gte":"number","lt":"number","lte":"number","between":"number_range","in":"numbers","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","sum","avg","min","max"],"upsertKey":false,"viewRoles":[]},
  created_time: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"upsertKey":false,"viewRoles":["start","end"]},
  last_modified_time: {"operators":{"eq":"time","neq":"time","gt":"time","gte":"time","lt":"time","lte":"time","between":"time_range","is_within":"time","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count","min","max"],"upsertKey":false,"viewRoles":["start","end"]},
  created_by: {"operators":{"has_any":"users","has_all":"users","has_none":"users","is_exactly":"users","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":["stack"]},
  last_modified_by: {"operators":{"has_any":"users","has_all":"users","has_none":"users","is_exactly":"users","is_empty":"none","is_not_empty":"none"},"readOnly":true,"holdsValues":true,"primary":false,"sortable":true,"groupable":true,"aggregates":["count"],"upsertKey":false,"viewRoles":["stack"]},
};
