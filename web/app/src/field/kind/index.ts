import { Braces } from "lucide-react";
import type { FieldType } from "../../api/type.ts";
import type { FieldKind } from "../kind.ts";
import { attachment } from "./attachment.tsx";
import { auto_number } from "./auto_number.tsx";
import { button } from "./button.tsx";
import { checkbox } from "./checkbox.tsx";
import { count } from "./count.tsx";
import { created_by } from "./created_by.tsx";
import { created_time } from "./created_time.tsx";
import { currency } from "./currency.tsx";
import { date } from "./date.tsx";
import { datetime } from "./datetime.tsx";
import { duration } from "./duration.tsx";
import { email } from "./email.tsx";
import { formula } from "./formula.tsx";
import { json } from "./json.tsx";
import { last_modified_by } from "./last_modified_by.tsx";
import { last_modified_time } from "./last_modified_time.tsx";
import { link } from "./link.tsx";
import { long_text } from "./long_text.tsx";
import { lookup } from "./lookup.tsx";
import { multi_select } from "./multi_select.tsx";
import { number } from "./number.tsx";
import { percent } from "./percent.tsx";
import { phone } from "./phone.tsx";
import { rating } from "./rating.tsx";
import { rollup } from "./rollup.tsx";
import { single_select } from "./single_select.tsx";
import { text } from "./text.tsx";
import { url } from "./url.tsx";
import { user } from "./user.tsx";

/**
 * The kinds of field. The compiler sees to it that there is one for every type that the service
 * has.
 */
const kinds = {
  text,
  long_text,
  email,
  url,
  phone,
  number,
  currency,
  percent,
  rating,
  duration,
  checkbox,
  date,
  datetime,
  single_select,
  multi_select,
  user,
  attachment,
  json,
  link,
  formula: formula(kindOf),
  lookup: lookup(kindOf),
  rollup: rollup(kindOf),
  count: count(kindOf),
  button,
  auto_number,
  created_time,
  last_modified_time,
  created_by,
  last_modified_by,
} satisfies Record<FieldType, FieldKind>;

const unknown: FieldKind = {
  ...json,
  name: { en: "Unknown", de: "Unbekannt", fr: "Inconnu" },
  icon: Braces,
  width: 160,
  parse: undefined,
};

/**
 * The kind of a type. Values of a type that this version does not know are shown as JSON, and
 * cannot be edited.
 */
export function kindOf(type: FieldType): FieldKind {
  return (kinds as Partial<Record<FieldType, FieldKind>>)[type] ?? unknown;
}
