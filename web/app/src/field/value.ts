import type { Attachment, Field, Linked, Option } from "../api/type.ts";
import { text } from "../text/index.ts";
import { type Tone, toneFrom, tones } from "../ui/tone.ts";
import { formatDate, formatMoment, parseDate, parseMoment } from "./date.ts";
import { kindOf } from "./kind.ts";
import { type NumberStyle, pointStyle, readNumber, writeDigits } from "./number.ts";
import { splitNames } from "./list.ts";

/**
 * What formatting and parsing need to know beyond the field: who is in the organization, what linked records are
 * called, and how numbers are written.
 */
export type Context = {
  people: { id: string; name: string; email?: string }[];
  /** The name of a record of another table, when it was read already. */
  nameOf?: (recordId: string) => string | undefined;
  /** How the person, or the column of a file, writes numbers; with a decimal point unless given. */
  numbers?: NumberStyle;
};

export type Parsed = { value: unknown; error?: undefined } | { value?: undefined; error: string };

const t = text.field.invalid;

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Reads a value that is a list of names, whether it has come as one or as several. */
export function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => (typeof item === "string" ? item : idOf(item))).filter(Boolean);
  return typeof value === "string" && value !== "" ? [value] : [];
}

function idOf(item: unknown): string {
  return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string" ? item.id : "";
}

/** The linked records of a link value, which is a list of their ids, with their names as far as they are known. */
export function linkedOf(value: unknown, context?: Context): Linked[] {
  return listOf(value).map((id) => ({ id, name: context?.nameOf?.(id) ?? "" }));
}

export function attachmentsOf(value: unknown): Attachment[] {
  return Array.isArray(value) ? (value as Attachment[]) : [];
}

export function optionsOf(field: Field): Option[] {
  return field.config?.options ?? field.options?.map((name) => ({ name })) ?? [];
}

/** The tone of an option: the chosen one, or one by its place. */
export function optionTone(field: Field, name: string): Tone {
  const options = optionsOf(field);
  const index = options.findIndex((option) => option.name === name);
  return toneFrom(options[index]?.color) ?? (index < 0 ? "gray" : (tones[(index % (tones.length - 1)) + 1] ?? "gray"));
}

const formats = new Map<number, Intl.NumberFormat>();
const mostDecimals = 10; // of a number whose field does not say how many

/** Writes a number; only amounts of money are grouped, since a plain number may well be a year or a code. */
function decimal(value: number, precision: number | undefined, style: NumberStyle = pointStyle, useGrouping = false): string {
  const parts = exact(value, precision) ?? /^(-?)(\d+)(?:\.(\d+))?$/.exec(rounded(value, precision)) ?? [];
  const [, sign = "", whole = "", fraction = ""] = parts;
  return sign + writeDigits(whole, fraction, style, useGrouping);
}

/**
 * A number that has no more decimals than are shown, in parts: what Intl would write, whose first number costs a page
 * 20 ms.
 */
function exact(value: number, precision: number | undefined): string[] | undefined {
  const written = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  if (!written) return undefined;
  const [all, sign = "", whole = "", decimals = ""] = written;
  if (decimals.length > (precision ?? mostDecimals)) return undefined;
  return [all, sign, whole, decimals.padEnd(precision ?? 0, "0")];
}

function rounded(value: number, precision = -1): string {
  let format = formats.get(precision);
  if (!format) {
    format = new Intl.NumberFormat("en", {
      useGrouping: false,
      minimumFractionDigits: Math.max(0, precision),
      maximumFractionDigits: precision < 0 ? mostDecimals : precision,
    });
    formats.set(precision, format);
  }
  return format.format(value);
}

export function formatDuration(seconds: number, format = "h:mm"): string {
  const sign = seconds < 0 ? "-" : "";
  const whole = Math.abs(Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = String(Math.floor((whole % 3600) / 60)).padStart(2, "0");
  return `${sign}${hours}:${minutes}${format.includes("s") ? `:${String(whole % 60).padStart(2, "0")}` : ""}`;
}

function formatNumber(value: number, field: Field, style?: NumberStyle): string {
  const config = field.config ?? {};
  switch (field.type) {
    case "currency":
      return `${value < 0 ? "-" : ""}${config.symbol ?? "$"}${decimal(Math.abs(value), config.precision ?? 2, style, true)}`;
    case "percent":
      return `${decimal(value, config.precision, style)}%`;
    case "duration":
      return formatDuration(value, config.format);
    case "rating":
    case "auto_number":
      return String(value);
    default:
      return decimal(value, config.precision, style);
  }
}

function nameOf(id: string, context: Context): string {
  return context.people.find((person) => person.id === id)?.name ?? id;
}

/** The names of the people in a user value; the service may give ids or objects with names. */
export function peopleOf(value: unknown, context: Context): { id: string; name: string }[] {
  const items: unknown[] = Array.isArray(value) ? value : isEmpty(value) ? [] : [value];
  return items.map((item) => {
    if (typeof item === "string") return { id: item, name: nameOf(item, context) };
    const id = idOf(item);
    const name = typeof item === "object" && item !== null && "name" in item && typeof item.name === "string" ? item.name : nameOf(id, context);
    return { id, name };
  });
}

/** The value as a person reads it, and as it is copied. Empty values are "". */
export function format(value: unknown, field: Field, context: Context): string {
  const kind = kindOf(field.type);
  if (kind.shape === "none") return field.config?.label ?? "";
  if (kind.shape === "bool") return value === true ? text.field.checked : "";
  if (isEmpty(value)) return "";
  switch (kind.shape) {
    case "number":
      return typeof value === "number" ? formatNumber(value, field, context.numbers) : String(value);
    case "date":
      return formatDate(String(value), field.config?.dateFormat);
    case "moment":
      return formatMoment(String(value), field.config?.dateFormat, field.config?.timeFormat, field.config?.timeZone);
    case "choices":
      return listOf(value).join(", ");
    case "user":
      return peopleOf(value, context)
        .map((person) => person.name)
        .join(", ");
    case "link":
      return linkedOf(value, context)
        .map((record) => record.name || text.base.record.untitled)
        .join(", ");
    case "attachment":
      return attachmentsOf(value)
        .map((file) => file.name)
        .join(", ");
    case "json":
      return typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value);
    default:
      return String(value);
  }
}

/** The value as it stands in an editor: complete, without grouping, with the person's decimal sign. */
export function editText(value: unknown, field: Field, context: Context): string {
  if (isEmpty(value)) return "";
  if (field.type === "duration") return format(value, field, context);
  if (kindOf(field.type).shape === "json") return JSON.stringify(value, null, 2);
  if (kindOf(field.type).shape !== "number") return format(value, field, context);
  return context.numbers?.decimal === "," ? String(value).replace(".", ",") : String(value);
}

/** A number's text without what its field writes around it: the currency's symbol, the percent sign. */
export function bareNumber(input: string, field: Pick<Field, "type" | "config">): string {
  if (field.type === "percent") return input.replace(/\s*%$/, "");
  if (field.type !== "currency" && field.type !== "number") return input;
  const symbol = field.type === "currency" ? (field.config?.symbol ?? "$") : /\p{Sc}/u.exec(input)?.[0];
  if (!symbol) return input;
  const sign = /^[-+\u2212]/.exec(input)?.[0] ?? "";
  const rest = input.slice(sign.length).trimStart();
  if (rest.startsWith(symbol)) return sign + rest.slice(symbol.length).trimStart();
  return rest.endsWith(symbol) ? sign + rest.slice(0, -symbol.length).trimEnd() : input;
}

/** An example of how numbers are to be written, for messages. */
export function numberExample(style: NumberStyle = pointStyle): string {
  return writeDigits("1234", "5", style, true);
}

type ParsedNumber = { value: number; error?: undefined } | { error: string };

function parseNumber(input: string, field: Field, style: NumberStyle = pointStyle): ParsedNumber {
  const read = readNumber(bareNumber(input, field), style);
  if (read.fault === undefined) return { value: read.value };
  if (read.fault === "precision") return { error: t.precision(input) };
  return { error: /\d/.test(input) ? t.numberAs(input, numberExample(style)) : t.number(input) };
}

function parseDuration(input: string, style: NumberStyle = pointStyle): number | undefined {
  const match = /^(-?)(\d+):([0-5]?\d)(?::([0-5]?\d))?$/.exec(input);
  if (match) return (match[1] ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0));
  const words = /^(?:(\d[\d.,]*)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+)\s*s)?$/i.exec(input);
  if (words && (words[1] ?? words[2] ?? words[3])) {
    const hours = words[1] === undefined ? 0 : readNumber(words[1], style).value;
    return hours === undefined ? undefined : hours * 3600 + Number(words[2] ?? 0) * 60 + Number(words[3] ?? 0);
  }
  return undefined;
}

function parseAsNumber(input: string, field: Field, style?: NumberStyle): Parsed {
  if (field.type === "duration") {
    const seconds = parseDuration(input, style) ?? (/^\d+$/.test(input) ? Number(input) : undefined);
    return seconds === undefined ? { error: t.duration(input) } : { value: seconds };
  }
  const parsed = parseNumber(input, field, style);
  if (parsed.error !== undefined) return parsed;
  const { value } = parsed;
  if (field.type === "rating") {
    const max = field.config?.max ?? 5;
    return Number.isInteger(value) && value >= 0 && value <= max ? { value: value === 0 ? null : value } : { error: t.rating(max) };
  }
  return { value };
}

function parseChoice(name: string, field: Field): Parsed {
  const options = optionsOf(field);
  const found = options.find((option) => option.name === name) ?? options.find((option) => option.name.toLowerCase() === name.toLowerCase());
  return found ? { value: found.name } : { error: t.option(name, options.map((option) => option.name).join(", ")) };
}

function parseEach(input: string, one: (name: string) => Parsed): Parsed {
  const values: unknown[] = [];
  for (const name of splitNames(input)) {
    const parsed = one(name);
    if (parsed.error !== undefined) return parsed;
    if (!values.includes(parsed.value)) values.push(parsed.value);
  }
  return { value: values };
}

/** Reads what a person typed or pasted as a value of the field. An empty input clears. */
export function parse(input: string, field: Field, context: Context): Parsed {
  const kind = kindOf(field.type);
  if (kind.readOnly || kind.shape === "none" || kind.shape === "attachment" || kind.shape === "link") return { error: t.readOnly };
  const trimmed = input.trim();
  if (kind.shape === "bool") {
    if (/^(|0|no|false|off|n|unchecked)$/i.test(trimmed)) return { value: false };
    return /^(1|yes|true|on|y|x|✓|checked)$/i.test(trimmed) ? { value: true } : { error: t.checkbox(trimmed) };
  }
  if (trimmed === "") return { value: null };
  switch (kind.shape) {
    case "number":
      return parseAsNumber(trimmed, field, context.numbers);
    case "date": {
      const value = parseDate(trimmed, field.config?.dateFormat);
      return value ? { value } : { error: t.date(trimmed) };
    }
    case "moment": {
      const value = parseMoment(trimmed, field.config?.dateFormat, field.config?.timeZone);
      return value ? { value } : { error: t.datetime(trimmed) };
    }
    case "choice":
      return parseChoice(trimmed, field);
    case "choices":
      return parseEach(trimmed, (name) => parseChoice(name, field));
    case "user": {
      const parsed = parseEach(trimmed, (name) => {
        const lower = name.toLowerCase();
        const person = context.people.find((one) => one.id === name || one.name.toLowerCase() === lower || one.email?.toLowerCase() === lower);
        return person ? { value: person.id } : { error: t.user(name) };
      });
      if (parsed.error !== undefined) return parsed;
      return { value: userValue(parsed.value as string[], field) };
    }
    case "json":
      try {
        return { value: JSON.parse(trimmed) as unknown };
      } catch {
        return { error: t.json };
      }
    default:
      // An address without its scheme is what people type; the service wants it whole.
      if (field.type === "url" && /^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(trimmed)) return { value: `https://${trimmed}` };
      if (field.type === "email" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(trimmed)) return { error: t.email(trimmed) };
      return { value: field.type === "long_text" ? input.replace(/\r\n?/g, "\n") : trimmed };
  }
}

/** A user value as the service writes it: one id, or several for a field that takes several. */
export function userValue(ids: string[], field: Field): unknown {
  if (ids.length === 0) return null;
  return field.config?.multiple ? ids : ids[0];
}

