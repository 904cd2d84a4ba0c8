import { type NumberStyle, writeDigits } from "./number.ts";

const formats = new Map<number, Intl.NumberFormat>();
const maxDecimals = 10; // of a number whose field does not say how many

/**
 * Writes a number; only amounts of money are grouped, since a plain number may well be a year or a
 * code.
 */
export function formatNumber(
  value: number,
  precision: number | undefined,
  style: NumberStyle,
  grouped = false,
): string {
  const parts = exact(value, precision) ?? /^(-?)(\d+)(?:\.(\d+))?$/.exec(rounded(value, precision)) ?? [];
  const [, sign = "", whole = "", fraction = ""] = parts;
  return sign + writeDigits(whole, fraction, style, grouped);
}

/**
 * A number that has no more decimals than are shown, in parts: what Intl would write, whose first
 * number costs a page 20 ms.
 */
function exact(value: number, precision: number | undefined): string[] | undefined {
  const written = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  if (!written) return undefined;
  const [all, sign = "", whole = "", decimals = ""] = written;
  if (decimals.length > (precision ?? maxDecimals)) return undefined;
  return [all, sign, whole, decimals.padEnd(precision ?? 0, "0")];
}

function rounded(value: number, precision = -1): string {
  let format = formats.get(precision);
  if (!format) {
    format = new Intl.NumberFormat("en", {
      useGrouping: false,
      minimumFractionDigits: Math.max(0, precision),
      maximumFractionDigits: precision < 0 ? maxDecimals : precision,
    });
    formats.set(precision, format);
  }
  return format.format(value);
}

/** `negative` is how numbers below zero are shown: minus, parentheses, red or red_parentheses. */
type Styled = { precision?: number; thousands?: boolean; negative?: string };
type Signs = { before?: string; after?: string; grouped?: boolean };

/** Writes a number in the style of its field, between what stands before and after its digits. */
export function writeNumber(value: number, config: Styled = {}, style: NumberStyle, signs: Signs = {}): string {
  const { before = "", after = "", grouped = false } = signs;
  const digits = formatNumber(Math.abs(value), config.precision, style, config.thousands ?? grouped);
  const text = before + digits + after;
  if (value >= 0) return text;
  return config.negative?.endsWith("parentheses") ? `(${text})` : `-${text}`;
}

/** Whether a field shows a value in red. */
export const isRed = (value: unknown, config: Styled = {}): boolean =>
  typeof value === "number" && value < 0 && config.negative?.startsWith("red") === true;

/** An example of how numbers are to be written, for messages. */
export function numberExample(style: NumberStyle): string {
  return writeDigits("1234", "5", style, true);
}
