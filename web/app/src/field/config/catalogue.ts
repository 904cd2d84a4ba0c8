// Written by `npm run generate` from the answer of GET /field-types; not to be edited.

import type { FieldType } from "../../api/type.ts";
import type { Limits } from "../kind.ts";

export type ConfigFacts = {
  /** The keys of the configuration that can be set, with their limits. */
  config: Record<string, Limits>;
  /** The types that a field of this type can be changed to. */
  convertsTo: readonly FieldType[];
};

export const configCatalogue: Record<FieldType, ConfigFacts> = {
  text: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{}},"convertsTo":["long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  long_text: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"format":{"enum":["plain","markdown"]}},"convertsTo":["text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  email: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{}},"convertsTo":["text","long_text","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  url: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{}},"convertsTo":["text","long_text","email","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  phone: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{}},"convertsTo":["text","long_text","email","url","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  number: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"precision":{"minimum":0,"maximum":8}},"convertsTo":["text","long_text","email","url","phone","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  currency: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"precision":{"minimum":0,"maximum":8},"symbol":{"maxLength":16}},"convertsTo":["text","long_text","email","url","phone","number","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  percent: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"precision":{"minimum":0,"maximum":8}},"convertsTo":["text","long_text","email","url","phone","number","currency","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  rating: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"max":{"minimum":1,"maximum":10},"icon":{"maxLength":64}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  duration: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"format":{"enum":["h:mm","h:mm:ss","h:mm:ss.S","h:mm:ss.SS","h:mm:ss.SSS"]}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","checkbox","date","datetime","single_select","multi_select","json"]},
  checkbox: {"config":{"description":{"maxLength":2000},"required":{},"default":{}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","date","datetime","single_select","multi_select","json"]},
  date: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"dateFormat":{"enum":["iso","local","friendly","us","european"]}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","datetime","single_select","multi_select","json"]},
  datetime: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"dateFormat":{"enum":["iso","local","friendly","us","european"]},"timeFormat":{"enum":["12h","24h"]},"timeZone":{}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","single_select","multi_select","json"]},
  single_select: {"config":{"description":{"maxLength":2000},"required":{},"unique":{},"default":{},"options":{}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","multi_select","json"]},
  multi_select: {"config":{"description":{"maxLength":2000},"required":{},"default":{},"options":{}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","json"]},
  user: {"config":{"description":{"maxLength":2000},"required":{},"default":{},"multiple":{}},"convertsTo":[]},
  attachment: {"config":{"description":{"maxLength":2000},"required":{}},"convertsTo":[]},
  json: {"config":{"description":{"maxLength":2000},"required":{},"default":{}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select"]},
  link: {"config":{"description":{"maxLength":2000},"linkedTableId":{},"multiple":{}},"convertsTo":[]},
  formula: {"config":{"description":{"maxLength":2000},"formula":{"maxLength":30000},"precision":{"minimum":0,"maximum":8},"dateFormat":{"enum":["iso","local","friendly","us","european"]},"timeFormat":{"enum":["12h","24h"]},"timeZone":{}},"convertsTo":[]},
  lookup: {"config":{"description":{"maxLength":2000},"linkFieldId":{},"fieldId":{},"precision":{"minimum":0,"maximum":8},"dateFormat":{"enum":["iso","local","friendly","us","european"]},"timeFormat":{"enum":["12h","24h"]},"timeZone":{}},"convertsTo":[]},
  rollup: {"config":{"description":{"maxLength":2000},"linkFieldId":{},"fieldId":{},"function":{"enum":["SUM","AVERAGE","MIN","MAX","COUNT","COUNTA","COUNTALL","AND","OR","XOR","ARRAYUNIQUE","ARRAYJOIN","ARRAYCOMPACT","CONCATENATE"]},"filters":{},"precision":{"minimum":0,"maximum":8},"dateFormat":{"enum":["iso","local","friendly","us","european"]},"timeFormat":{"enum":["12h","24h"]},"timeZone":{}},"convertsTo":[]},
  count: {"config":{"description":{"maxLength":2000},"linkFieldId":{},"filters":{},"precision":{"minimum":0,"maximum":8},"dateFormat":{"enum":["iso","local","friendly","us","european"]},"timeFormat":{"enum":["12h","24h"]},"timeZone":{}},"convertsTo":[]},
  button: {"config":{"description":{"maxLength":2000},"label":{"maxLength":255},"url":{"maxLength":2048}},"convertsTo":[]},
  auto_number: {"config":{"description":{"maxLength":2000}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  created_time: {"config":{"description":{"maxLength":2000},"dateFormat":{"enum":["iso","local","friendly","us","european"]},"timeFormat":{"enum":["12h","24h"]},"timeZone":{}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  last_modified_time: {"config":{"description":{"maxLength":2000},"dateFormat":{"enum":["iso","local","friendly","us","european"]},"timeFormat":{"enum":["12h","24h"]},"timeZone":{}},"convertsTo":["text","long_text","email","url","phone","number","currency","percent","rating","duration","checkbox","date","datetime","single_select","multi_select","json"]},
  created_by: {"config":{"description":{"maxLength":2000}},"convertsTo":[]},
  last_modified_by: {"config":{"description":{"maxLength":2000}},"convertsTo":[]},
};
