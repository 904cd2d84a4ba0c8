import type { Field } from "../../api/type.ts";
import { textOf } from "../../text/index.ts";
import { CardLabels, CardText } from "../control/card.tsx";
import { ComputedControl } from "../control/index.ts";
import { type Context, numbersIn, zoneOf } from "../context.ts";
import { formatDate, formatTimestamp } from "../date.ts";
import { failureMark, failureOf } from "../failure.ts";
import { formatNumber, isRed } from "../format.ts";
import { type FieldKind, isEmpty, type KindOf, type Label } from "../kind.ts";
import { optionTone } from "../option.ts";
import { hasLists, likeOf } from "../result.ts";

const ofValues = ["MIN", "MAX", "ARRAYUNIQUE", "ARRAYCOMPACT"]; // functions that give values that they read
const ofSums = ["SUM", "AVERAGE"]; // those that give others, of the same unit
const formats = ["number", "currency", "percent", "duration"] as const; // of numbers that formulas and rollups compute
const maxSteps = 20; // from a lookup of a lookup to the field that holds the values

/** The field whose kind shows the values of a lookup, and of most rollups, as far as it is known. */
function sourceOf({ type, config }: Field, context: Context, steps = maxSteps): Field | undefined {
  if (config?.format && type !== "lookup") return undefined;
  const name = type === "rollup" ? config?.function : undefined;
  const sums = name !== undefined && ofSums.includes(name);
  const shows = type === "lookup" || sums || (name !== undefined && ofValues.includes(name));
  const read = shows && steps > 0 ? context.fieldOf?.(config?.fieldId ?? "") : undefined;
  const source = read && (sourceOf(read, context, steps - 1) ?? read);
  return source?.type === "rating" && sums ? undefined : source; // half a star is none
}

/** Fields whose values are shown as labels, by what they are called. */
const labelled = ["single_select", "multi_select", "user", "created_by", "last_modified_by", "link", "attachment"];

/** A field as one of whose values a computed one shows its own, in its own format where it has one. */
function shapeOf(field: Field, context: Context): Field {
  const source = sourceOf(field, context);
  if (!source) return formatted(likeOf(field));
  const { precision, thousands, negative } = field.config ?? {};
  const own = Object.entries({ precision, thousands, negative }).filter(([, value]) => value !== undefined);
  return formatted({ ...likeOf(source), config: { ...source.config, ...Object.fromEntries(own) } });
}

/** A field of computed numbers as one of the type that its format names. */
function formatted(field: Field): Field {
  const format = formats.find((one) => one === field.config?.format);
  if (field.type !== "number" || !format) return field;
  return { ...field, type: format, config: { ...field.config, format: format === "duration" ? "h:mm:ss" : format } };
}

/** A computed number as the field holds it that shows it: 0.125 is 12.5 per cent. */
const valueIn = (shape: Field, value: number) =>
  shape.type === "percent" && shape.config?.format === "percent" ? Number((value * 100).toPrecision(15)) : value;

function formatOne(value: unknown, shape: Field, context: Context, kindOf: KindOf): string {
  if (isEmpty(value)) return "";
  const { config } = shape;
  if (typeof value === "boolean") {
    const { checked, unchecked } = textOf(context.locale).field;
    return value ? checked : unchecked;
  }
  if (labelled.includes(shape.type)) return String(value);
  if (typeof value === "number") {
    const kind = kindOf(shape.type);
    const own = valueIn(shape, value);
    return kind.numeric ? kind.format(own, shape, context) : formatNumber(own, undefined, numbersIn(context));
  }
  if (shape.type === "date") return formatDate(String(value), config?.dateFormat, context.locale);
  const moment = ["datetime", "created_time", "last_modified_time"].includes(shape.type);
  if (!moment) return String(value);
  return formatTimestamp(String(value), { ...config, timeZone: zoneOf(shape, context) }, context.locale);
}

/** The values that there are: an entry of a list is empty where a linked record has none. */
const entriesOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((entry) => !isEmpty(entry));

function labelsOf(value: unknown, shape: Field): Label[] | undefined {
  if (!labelled.includes(shape.type)) return undefined;
  const chosen = shape.type.endsWith("_select");
  return entriesOf(value).map((name, index) => ({
    id: `${index}`,
    label: String(name),
    tone: chosen ? optionTone(shape, String(name)) : undefined,
  }));
}

/**
 * What kinds whose values the service computes share. The type of the values is in config.resultType;
 * values that stand in another field are shown as they are there.
 */
export function computed(kindOf: KindOf) {
  const format = (value: unknown, field: Field, context: Context): string => {
    if (failureOf(value)) return failureMark;
    const shape = shapeOf(field, context);
    return entriesOf(value)
      .map((one) => formatOne(one, shape, context, kindOf))
      .join(", ");
  };
  return {
    group: "computed",
    computed: true,
    width: 160,
    format,
    copy: (value, field, context) => {
      const shape = shapeOf(field, context);
      const exact = typeof value === "number" && kindOf(shape.type).copy;
      return exact ? exact(value, shape, context) : format(value, field, context);
    },
    cell: {
      align: (field) => (!hasLists(field) && likeOf(field).type === "number" ? "right" : undefined),
      box: (value) => typeof value === "boolean",
      draw: (pen, value, field, context) => {
        if (isEmpty(value)) return;
        if (failureOf(value)) return pen.text(failureMark, { danger: true });
        const shape = shapeOf(field, context);
        const labels = labelsOf(value, shape);
        if (labels) return pen.labels(labels);
        if (shape.type === "rating" && typeof value === "number")
          return kindOf(shape.type).cell.draw?.(pen, value, shape, context);
        return pen.text(format(value, field, context), { danger: isRed(value, shape.config) });
      },
    },
    Control: ComputedControl,
    Card: ({ value, field, context }) => {
      const failure = failureOf(value);
      if (failure)
        return (
          <span title={failure.message} className="text-danger">
            {failureMark}
            <span className="sr-only">: {failure.message}</span>
          </span>
        );
      const shape = shapeOf(field, context);
      const labels = labelsOf(value, shape);
      if (labels) return <CardLabels labels={labels} />;
      const text = <CardText>{format(value, field, context)}</CardText>;
      return isRed(value, shape.config) ? <span className="text-danger">{text}</span> : text;
    },
    csv: {},
  } satisfies Partial<FieldKind>;
}
