import { Clock } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { textOf } from "../../text/index.ts";
import { cardOf, numeric } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import { numbersIn } from "../context.ts";
import type { FieldKind } from "../kind.ts";
import { type NumberStyle, readNumber } from "../number.ts";

/** Writes seconds as hours, minutes and, where the format has them, seconds and their fraction. */
function write(value: number, format = "h:mm"): string {
  const digits = format.split(".")[1]?.length ?? 0;
  const seconds = Number(Math.abs(value).toFixed(digits));
  const hours = Math.floor(seconds / 3600);
  const minutes = String(Math.floor((seconds % 3600) / 60)).padStart(2, "0");
  const rest = (seconds % 60).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, "0");
  return `${value < 0 ? "-" : ""}${hours}:${minutes}${format.includes("s") ? `:${rest}` : ""}`;
}

function read(entry: string, style: NumberStyle): number | undefined {
  const clock = /^(-?)(\d+):([0-5]?\d)(?::([0-5]?\d(?:\.\d+)?))?$/.exec(entry);
  if (clock) return (clock[1] ? -1 : 1) * (Number(clock[2]) * 3600 + Number(clock[3]) * 60 + Number(clock[4] ?? 0));
  const words = /^(?:(\d[\d.,]*)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+)\s*s)?$/i.exec(entry);
  if (words && (words[1] ?? words[2] ?? words[3])) {
    const hours = words[1] === undefined ? 0 : readNumber(words[1], style).value;
    return hours === undefined ? undefined : hours * 3600 + Number(words[2] ?? 0) * 60 + Number(words[3] ?? 0);
  }
  return /^\d+$/.test(entry) ? Number(entry) : undefined;
}

const format = (value: unknown, field: Field) =>
  typeof value === "number" ? write(value, field.config?.format) : String(value);

export const duration: FieldKind = {
  ...numeric,
  name: { en: "Duration", de: "Dauer", fr: "Durée" },
  icon: Clock,
  width: 110,
  format,
  entry: format,
  copy: format,
  parse: (entry, _field, context) => {
    const value = read(entry, numbersIn(context));
    return value === undefined ? { error: textOf(context.locale).field.invalid.duration(entry) } : { value };
  },
  example: () => 5400,
  Card: cardOf(format),
  Config: configPanel("DurationConfig"),
};
