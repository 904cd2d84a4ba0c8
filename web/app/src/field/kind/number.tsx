import { Hash } from "lucide-react";
import { numeric, parseNumber, withoutSymbol } from "../base/number.tsx";
import { configPanel } from "../config/index.ts";
import type { FieldKind } from "../kind.ts";
import { readNumber } from "../number.ts";

const plain = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;

/**
 * Reports whether a text may be a number with groups or a decimal comma. What begins with a zero is
 * a code, and spaces separate anything.
 */
const punctuated = (cell: string) =>
  /^-?([1-9]|0[.,])[\d.,'\u00a0\u202f\u2019]*$/.test(cell) && cell.replace(/\D/g, "").length <= 15;

export const number: FieldKind = {
  ...numeric,
  name: { en: "Number" },
  icon: Hash,
  parse: (entry, _field, context) => parseNumber(entry, context, withoutSymbol(entry, /\p{Sc}/u.exec(entry)?.[0])),
  example: () => 42,
  Config: configPanel("PrecisionConfig"),
  csv: {
    ...numeric.csv,
    guess: {
      // 0 and 1 could mean no and yes; as numbers they come back as they were.
      rank: 10,
      fits: (cells, style) =>
        style !== undefined &&
        ((style.decimal === "." && cells.every((cell) => plain.test(cell))) ||
          cells.every((cell) => cell === "0" || (punctuated(cell) && readNumber(cell, style).value !== undefined))),
    },
    isData: (cell) => !/^(19|20)\d\d$/.test(cell), // a year may well name a column
  },
};
