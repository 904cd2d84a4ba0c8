/** Dates as the service has them, "2025-01-31", and moments in RFC 3339, to and from what people read and write. */

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (n: number) => String(n).padStart(2, "0");

type Parts = { year: number; month: number; day: number; hour: number; minute: number; second: number };

/** The formats that a field can have, by the service's names, and how each is written; the first is the default. */
export const dateFormats: Record<string, string> = {
  iso: "YYYY-MM-DD",
  european: "DD/MM/YYYY",
  us: "MM/DD/YYYY",
  friendly: "D MMM YYYY",
  get local() {
    return (local ??= localFormat());
  },
};
let local: string | undefined; // asking the browser costs 20 ms, which most tables need not pay
export const timeFormats: Record<string, string> = { "24h": "HH:mm", "12h": "hh:mm A" };

/** The order and the separators in which the browser's language writes a date. */
function localFormat(): string {
  return new Intl.DateTimeFormat(undefined, { year: "numeric", month: "2-digit", day: "2-digit" })
    .formatToParts(Date.UTC(2000, 0, 2))
    .map((part) => ({ year: "YYYY", month: "MM", day: "DD" })[part.type as string] ?? part.value)
    .join("");
}

/** Writes the parts in a format of YYYY, MM, MMM, M, DD, D, HH, hh, mm, ss and A. */
function write(parts: Parts, format: string): string {
  return format.replace(/YYYY|MMM|MM|M|DD|D|HH|hh|mm|ss|A/g, (token) => {
    switch (token) {
      case "YYYY":
        return String(parts.year).padStart(4, "0");
      case "MMM":
        return months[parts.month - 1] ?? "";
      case "MM":
        return two(parts.month);
      case "M":
        return String(parts.month);
      case "DD":
        return two(parts.day);
      case "D":
        return String(parts.day);
      case "HH":
        return two(parts.hour);
      case "hh":
        return two(parts.hour % 12 || 12);
      case "mm":
        return two(parts.minute);
      case "ss":
        return two(parts.second);
      default:
        return parts.hour < 12 ? "AM" : "PM";
    }
  });
}

const known = (name: string | undefined, formats: Record<string, string>) => formats[name ?? ""] ?? Object.values(formats)[0] ?? "";

export function formatDate(value: string, format?: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(value);
  if (!match) return value;
  return write({ year: +match[1]!, month: +match[2]!, day: +match[3]!, hour: 0, minute: 0, second: 0 }, known(format, dateFormats));
}

/** The parts of a moment in a time zone; undefined for what is no moment. An unknown zone is read as UTC. */
export function partsOf(value: string, zone = "UTC"): Parts | undefined {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return undefined;
  const read: Record<string, number> = {};
  for (const part of formatterOf(zone).formatToParts(time)) read[part.type] = Number(part.value);
  return { year: read.year!, month: read.month!, day: read.day!, hour: read.hour! % 24, minute: read.minute!, second: read.second! };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const kept = formatters.get(zone);
  if (kept) return kept;
  const options = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  } as const;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
  } catch {
    made = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  }
  formatters.set(zone, made);
  return made;
}

export function formatMoment(value: string, dateFormat?: string, timeFormat?: string, zone?: string): string {
  const parts = partsOf(value, zone);
  if (!parts) return value;
  return `${write(parts, known(dateFormat, dateFormats))} ${write(parts, known(timeFormat, timeFormats))}`;
}

/** The moment as the platform's date-and-time input writes it, in the zone. */
export function toLocalInput(value: string, zone?: string): string {
  const parts = partsOf(value, zone);
  return parts ? write(parts, "YYYY-MM-DDTHH:mm") : "";
}

/** The moment, in RFC 3339 and UTC, at which a clock in the zone shows this date and time. */
export function fromLocal(year: number, month: number, day: number, hour: number, minute: number, zone = "UTC"): string {
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  // A zone's offset depends on the moment sought: two steps settle it on either side of a clock change.
  const missing = (at: number) => {
    const shown = partsOf(new Date(at).toISOString(), zone)!;
    return wanted - Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute);
  };
  const first = wanted + missing(wanted);
  let guess = first + missing(first);
  // A clock that is set forward skips this time. The later guess is behind the gap, so a day without a midnight stays that day.
  if (missing(guess) !== 0) guess = Math.max(first, guess);
  return new Date(guess).toISOString().replace(".000Z", "Z");
}

export function fromLocalInput(input: string, zone?: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(input);
  return match ? fromLocal(+match[1]!, +match[2]!, +match[3]!, +match[4]!, +match[5]!, zone) : undefined;
}

function real(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/** Reads a date as people write it. Day and month stand in the order of the format when that is the only way to tell. */
export function parseDate(input: string, format?: string): string | undefined {
  const trimmed = input.trim();
  let match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(trimmed);
  if (match) return real(+match[1]!, +match[2]!, +match[3]!);
  match = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(trimmed);
  if (match) {
    const monthFirst = known(format, dateFormats).startsWith("M");
    return monthFirst ? real(+match[3]!, +match[1]!, +match[2]!) : real(+match[3]!, +match[2]!, +match[1]!);
  }
  match = /^(\d{1,2})\.? +([A-Za-z]{3})[a-z]*\.?,? +(\d{4})$/.exec(trimmed);
  if (match) return real(+match[3]!, monthNumber(match[2]!), +match[1]!);
  match = /^([A-Za-z]{3})[a-z]*\.? +(\d{1,2}),? +(\d{4})$/.exec(trimmed);
  if (match) return real(+match[3]!, monthNumber(match[1]!), +match[2]!);
  return undefined;
}

const monthNumber = (name: string) => months.findIndex((month) => month.toLowerCase() === name.toLowerCase()) + 1;

/** Reads a date and time as people write it; without an offset of its own it is in the zone. */
export function parseMoment(input: string, format?: string, zone?: string): string | undefined {
  const trimmed = input.trim();
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/i.test(trimmed)) {
    const time = Date.parse(trimmed);
    return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(".000Z", "Z");
  }
  const match = /^(.*?)(?:[ T,]+(\d{1,2}):(\d{2})(?::([0-5]\d(?:\.\d{1,3})?)\d*)?\s*([AaPp])?\.?[Mm]?\.?)?$/.exec(trimmed);
  const date = match?.[1] === undefined ? undefined : parseDate(match[1], format);
  // A date may be read from a text with a time, but here a time that cannot be read must not become midnight.
  if (!match || !date || /^\d{4}\D\d+\D\d+[T ]/.test(match[1] ?? "")) return undefined;
  let hour = Number(match[2] ?? 0);
  const half = match[5]?.toLowerCase();
  if (half === "p" && hour < 12) hour += 12;
  if (half === "a" && hour === 12) hour = 0;
  const minute = Number(match[3] ?? 0);
  if (hour > 23 || minute > 59) return undefined;
  const [year, month, day] = date.split("-").map(Number);
  const start = Date.parse(fromLocal(year!, month!, day!, hour, minute, zone));
  return new Date(start + Math.round(Number(match[4] ?? 0) * 1000)).toISOString().replace(".000Z", "Z");
}

/** "3 minutes ago", for lists of sessions and keys. */
export function ago(value: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(value) - now) / 1000);
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ["second", 60],
    ["minute", 60],
    ["hour", 24],
    ["day", 30],
    ["month", 12],
  ];
  let amount = seconds;
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.trunc(amount), unit);
    amount /= size;
  }
  return relative.format(Math.trunc(amount), "year");
}

/** The day of a moment in words, for lists. */
export function day(value: string): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(new Date(value));
}
