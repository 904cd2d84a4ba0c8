/**
 * How numbers are written: the decimal sign, the sign between groups of digits, and the size of the
 * groups left of the last three.
 */
export type NumberStyle = { decimal: "." | ","; group: string; groupSize: 2 | 3 };

export const pointStyle: NumberStyle = { decimal: ".", group: ",", groupSize: 3 };
export const commaStyle: NumberStyle = { decimal: ",", group: ".", groupSize: 3 };

const styles = new Map<string, NumberStyle>([
  // Known without Intl, whose first number costs a page 20 ms.
  ["en", pointStyle],
  ["en-US", pointStyle],
  ["en-GB", pointStyle],
]);

/** The style of a locale. A locale that the browser does not know is read as English. */
export function styleOf(locale: string): NumberStyle {
  let style = styles.get(locale);
  if (!style) {
    try {
      style = findStyle(locale);
    } catch {
      style = pointStyle; // not a locale
    }
    styles.set(locale, style);
  }
  return style;
}

function findStyle(locale: string): NumberStyle {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn", useGrouping: true }).formatToParts(12345678.5);
  const decimal = parts.find((part) => part.type === "decimal")?.value === "," ? "," : ".";
  const group = parts.find((part) => part.type === "group")?.value ?? (decimal === "," ? "." : ",");
  const integers = parts.filter((part) => part.type === "integer");
  return { decimal, group, groupSize: integers.at(-2)?.value.length === 2 ? 2 : 3 };
}

// Signs that separate groups of digits in every locale, because they have no other meaning in a
// number.
const spaces = /[\s\u00a0\u2007\u2009\u202f]/g;
const apostrophes = /['\u2019]/g;

const escape = (sign: string) => sign.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10]; // Arabic, Persian, Devanagari, Bengali, and wide digits

/**
 * The digits of other scripts as ASCII, and the Arabic signs and the minus sign of typography as
 * the style's.
 */
function plain(input: string, style: NumberStyle): string {
  return input
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\uff10-\uff19]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - (zeros.findLast((zero) => zero <= code) ?? code));
    })
    .replaceAll("٫", style.decimal)
    .replaceAll("٬", "'")
    .replace(/[\u061c\u200e\u200f]/g, "")
    .replace(/^[\u2212\ufe63\uff0d]/, "-")
    .replace(spaces, " ")
    .replace(apostrophes, "'");
}

const patterns = new WeakMap<NumberStyle, RegExp>();

/**
 * What a number of the style looks like: its sign, its integer with or without groups, its
 * fraction, and its exponent.
 */
function patternOf(style: NumberStyle): RegExp {
  let pattern = patterns.get(style);
  if (!pattern) {
    const own = escape(style.group.replace(spaces, " ").replace(apostrophes, "'"));
    const grouped = [...new Set([own, " ", "'"])].flatMap((sign) => [
      String.raw`[1-9]\d{0,2}(?:${sign}\d{3})+`,
      ...(style.groupSize === 2 ? [String.raw`[1-9]\d?(?:${sign}\d{2})*${sign}\d{3}`] : []),
    ]);
    const fraction = String.raw`(?:${escape(style.decimal)}(\d*))?`;
    pattern = new RegExp(String.raw`^([-+]?)(${grouped.join("|")}|\d*)${fraction}(e[-+]?\d+)?$`, "i");
    patterns.set(style, pattern);
  }
  return pattern;
}

export type NumberFault = "malformed" | "precision";
export type ReadNumber = { value: number; fault?: undefined } | { value?: undefined; fault: NumberFault };

/**
 * Reads a number in a style. Groups must be complete: three digits each (two where the locale
 * writes them so), the same sign between all of them, and no group after the decimal sign. Anything
 * else is malformed, and an integer that a double cannot represent is refused, because it would be
 * stored as another one. Parsers for a locale, such as the parser of @internationalized/number,
 * take groups of any size and so read 1,5 as 15; tests assert that they agree on the rest.
 */
export function readNumber(input: string, style: NumberStyle): ReadNumber {
  const match = patternOf(style).exec(plain(input.trim(), style));
  if (!match) return { fault: "malformed" };
  const [, sign = "", integer = "", fraction = "", exponent = ""] = match;
  const whole = integer.replace(/\D/g, "");
  if (whole === "" && fraction === "") return { fault: "malformed" };
  const digits = `${sign}${whole || "0"}`;
  const value = Number(`${digits}.${fraction || "0"}${exponent}`);
  if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(whole + fraction))) return { fault: "precision" };
  const isWhole = exponent === "" && /^0*$/.test(fraction);
  if (isWhole && whole.length > 15 && BigInt(value) !== BigInt(digits.replace("+", ""))) return { fault: "precision" };
  return { value: value === 0 ? 0 : value };
}

/**
 * A plain number (digits, and a decimal point) as a style writes it; grouped, if asked, by threes.
 */
export function writeDigits(whole: string, fraction: string, style: NumberStyle, grouped: boolean): string {
  const integer = grouped ? whole.replace(/\B(?=(?:\d{3})+$)/g, style.group) : whole;
  return `${integer}${fraction && `${style.decimal}${fraction}`}`;
}

/** How the values of a column are written, as far as they show it. */
export type ColumnStyle =
  /** Some values are numbers in one style only, and none in the other only. */
  | { kind: "certain"; style: NumberStyle }
  /** Every value reads the same in both. */
  | { kind: "either" }
  /** Some values are different numbers in the two styles, and no other value shows which is meant. */
  | { kind: "ambiguous"; example: string }
  /** One value is a number in one style only, and another in the other only. */
  | { kind: "conflict"; point: string; comma: string };

/**
 * Finds the style that a column's values agree on. Values that are no numbers at all do not count.
 */
export function columnStyle(cells: Iterable<string>, strip: (cell: string) => string = (cell) => cell): ColumnStyle {
  let point: string | undefined;
  let comma: string | undefined;
  let ambiguous: string | undefined;
  for (const cell of cells) {
    const bare = strip(cell);
    const a = readNumber(bare, pointStyle).value;
    const b = readNumber(bare, commaStyle).value;
    if (a === undefined && b === undefined) continue;
    if (b === undefined) point ??= cell;
    else if (a === undefined) comma ??= cell;
    else if (a !== b) ambiguous ??= cell;
  }
  if (point !== undefined && comma !== undefined) return { kind: "conflict", point, comma };
  if (point !== undefined || comma !== undefined)
    return { kind: "certain", style: point === undefined ? commaStyle : pointStyle };
  return ambiguous === undefined ? { kind: "either" } : { kind: "ambiguous", example: ambiguous };
}
