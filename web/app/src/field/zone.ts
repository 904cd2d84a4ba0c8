/** A date and a time as a clock shows them. */
export type LocalTime = { year: number; month: number; day: number; hour: number; minute: number; second: number };

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let found = formatters.get(zone);
  if (!found) {
    const numeric = "numeric";
    found = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      era: "short",
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formatters.set(zone, found);
  }
  return found;
}

/** The milliseconds since 1970 at which a clock in UTC shows this. Years below 100 are not of this century. */
export function inUtc({ year, month, day, hour, minute, second }: LocalTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime();
}

/** What a clock in the zone shows at a moment, in milliseconds since 1970. */
export function localTime(time: number, zone: string): LocalTime {
  if (zone === "UTC") {
    const date = new Date(time);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  }
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  let before = false; // our era
  for (const { type, value } of formatterOf(zone).formatToParts(time)) {
    if (type === "era") before = value.startsWith("B");
    else if (type in shown) shown[type as keyof LocalTime] = Number(value);
  }
  if (before) shown.year = 1 - shown.year;
  return shown;
}

const day = 864e5; // milliseconds

/** By how much a clock in the zone is ahead of UTC at a moment. */
const offsetAt = (time: number, zone: string) => inUtc(localTime(time, zone)) - Math.floor(time / 1000) * 1000;

/**
 * The moment, in milliseconds since 1970, at which a clock in the zone shows this. Of two, it is the
 * earlier one. A time that a clock set forward skips is as far behind the gap as it is behind its start.
 */
export function timeAt(local: LocalTime, zone: string): number {
  const time = inUtc(local);
  const candidates = [offsetAt(time - day, zone), offsetAt(time + day, zone)].map((offset) => time - offset);
  const shown = candidates.filter((one) => inUtc(localTime(one, zone)) === time);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates);
}
