import {
  AlignLeft,
  AtSign,
  Binary,
  Braces,
  Calendar,
  CalendarClock,
  CalendarPlus,
  CircleChevronDown,
  Clock,
  DollarSign,
  Hash,
  History,
  Link2,
  ListChecks,
  type LucideIcon,
  MousePointerClick,
  Paperclip,
  Percent,
  Phone,
  SquareCheck,
  Star,
  Type,
  UserRound,
  UserRoundPen,
  UserRoundPlus,
  Waypoints,
} from "lucide-react";
import type { Field, FieldConfig, FieldType } from "../api/type.ts";

/** What a type's values look like; formatting, editing and filtering switch on it. */
export type Shape =
  | "text"
  | "number"
  | "bool"
  | "date"
  | "moment"
  | "choice"
  | "choices"
  | "user"
  | "attachment"
  | "json"
  | "link"
  | "none";

export type Group = "text" | "number" | "choice" | "date" | "relation" | "automatic";

export type Kind = {
  type: FieldType;
  shape: Shape;
  group: Group;
  icon: LucideIcon;
  /** The service writes the values. */
  readOnly?: boolean;
  /** May be the primary field. */
  primary?: boolean;
  /** The keys of the configuration that the field dialog offers. */
  config: (keyof FieldConfig)[];
  /** The width in pixels of a column that nobody resized. */
  width: number;
};

const plain = ["required", "unique"] as const;

/** The catalogue of field types, in the order in which they are offered. */
export const kinds: Kind[] = [
  { type: "text", shape: "text", group: "text", icon: Type, primary: true, config: [...plain], width: 220 },
  { type: "long_text", shape: "text", group: "text", icon: AlignLeft, primary: true, config: [...plain], width: 280 },
  { type: "email", shape: "text", group: "text", icon: AtSign, primary: true, config: [...plain], width: 200 },
  { type: "url", shape: "text", group: "text", icon: Link2, primary: true, config: [...plain], width: 220 },
  { type: "phone", shape: "text", group: "text", icon: Phone, primary: true, config: [...plain], width: 150 },
  { type: "number", shape: "number", group: "number", icon: Hash, config: ["precision", ...plain], width: 120 },
  { type: "currency", shape: "number", group: "number", icon: DollarSign, config: ["symbol", "precision", ...plain], width: 130 },
  { type: "percent", shape: "number", group: "number", icon: Percent, config: ["precision", ...plain], width: 110 },
  { type: "rating", shape: "number", group: "number", icon: Star, config: ["max", "required"], width: 140 },
  { type: "duration", shape: "number", group: "number", icon: Clock, config: ["format", ...plain], width: 110 },
  { type: "single_select", shape: "choice", group: "choice", icon: CircleChevronDown, config: ["options", "required"], width: 160 },
  { type: "multi_select", shape: "choices", group: "choice", icon: ListChecks, config: ["options", "required"], width: 220 },
  { type: "checkbox", shape: "bool", group: "choice", icon: SquareCheck, config: [], width: 90 },
  { type: "date", shape: "date", group: "date", icon: Calendar, config: ["dateFormat", ...plain], width: 130 },
  { type: "datetime", shape: "moment", group: "date", icon: CalendarClock, config: ["dateFormat", "timeFormat", "timeZone", ...plain], width: 180 },
  { type: "user", shape: "user", group: "relation", icon: UserRound, config: ["multiple", "required"], width: 180 },
  { type: "link", shape: "link", group: "relation", icon: Waypoints, config: ["linkedTableId", "multiple"], width: 220 },
  { type: "attachment", shape: "attachment", group: "relation", icon: Paperclip, config: ["required"], width: 180 },
  { type: "button", shape: "none", group: "relation", icon: MousePointerClick, config: ["label", "url"], width: 130 },
  { type: "json", shape: "json", group: "relation", icon: Braces, config: ["required"], width: 220 },
  { type: "auto_number", shape: "number", group: "automatic", icon: Binary, readOnly: true, config: [], width: 90 },
  { type: "created_time", shape: "moment", group: "automatic", icon: CalendarPlus, readOnly: true, config: ["dateFormat", "timeFormat", "timeZone"], width: 180 },
  { type: "last_modified_time", shape: "moment", group: "automatic", icon: History, readOnly: true, config: ["dateFormat", "timeFormat", "timeZone"], width: 180 },
  { type: "created_by", shape: "user", group: "automatic", icon: UserRoundPlus, readOnly: true, config: [], width: 160 },
  { type: "last_modified_by", shape: "user", group: "automatic", icon: UserRoundPen, readOnly: true, config: [], width: 160 },
];

const byType = new Map(kinds.map((kind) => [kind.type, kind]));
const unknownKind: Kind = { type: "text", shape: "json", group: "text", icon: Braces, readOnly: true, config: [], width: 160 };

const fixed: Shape[] = ["link", "none", "attachment", "user"];

/** Reports whether a field can be given another type: values of both have to be such that one can be made of the other. */
export function canBecome(field: Field, type: FieldType): boolean {
  if (field.type === type) return true;
  const [from, to] = [kindOf(field.type), kindOf(type)];
  return !fixed.includes(from.shape) && !fixed.includes(to.shape) && !to.readOnly && (!field.isPrimary || to.primary === true);
}

/** The kind of a field type. A type that this version does not know is shown, and cannot be edited. */
export function kindOf(type: FieldType): Kind {
  return byType.get(type) ?? unknownKind;
}
