import type { Locale } from "./locale.ts";

/** "3 minutes ago", for lists of sessions and keys. */
export function ago(value: string, locale: Locale, now = Date.now()): string {
  const seconds = Math.round((Date.parse(value) - now) / 1000);
  const relative = new Intl.RelativeTimeFormat(locale.language, { numeric: "auto" });
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
export function day(value: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale.tag, { dateStyle: "medium", timeZone: locale.zone }).format(new Date(value));
}

/** A moment to the second, as people write it. */
export function moment(value: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale.tag, {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: locale.zone,
  }).format(new Date(value));
}
