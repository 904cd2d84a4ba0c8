import { Plus, Trash2 } from "lucide-react";
import { useBase } from "../access/base.ts";
import type { Field, Filter, Leaf, Table } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import { OperandEditor } from "../field/operand/index.tsx";
import { startValue } from "../field/operand/start.ts";
import { likeOf } from "../field/result.ts";
import { format } from "../field/value.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/form.tsx";
import { canFilter, leafFor, opLabel, operandOf, opsOf } from "./op.ts";
import { isPersonal, isRuleField, personalOf } from "./personal.ts";

const deepest = 5;

export type FilterPanelProps = {
  table: Table;
  filters: Filter[];
  /** Conditions must not depend on the day on which they are read. */
  lasting?: boolean;
  /** Conditions are of a row rule: on values of the record itself, and perhaps on the person who reads. */
  rule?: boolean;
  /** What is said while there are no conditions. */
  none?: string;
  className?: string;
  onChange: (filters: Filter[]) => void;
};

/** The filter of a view: conditions that must all hold, any of which may be a group of its own. */
export function FilterPanel({ table, filters, lasting, rule, none, className, onChange }: FilterPanelProps) {
  const t = useText().filter;
  // A single group on top is shown as the panel's own way of joining.
  const only = filters.length === 1 ? filters[0] : undefined;
  const or = only !== undefined && "or" in only ? only.or : undefined;
  return (
    <div className={className ?? "w-[min(640px,calc(100vw-24px))] p-3"}>
      {filters.length === 0 && <p className="px-1 pb-2 text-muted">{none ?? t.none}</p>}
      <Group
        table={table}
        joined={or ? "or" : "and"}
        filters={or ?? filters}
        lasting={lasting}
        rule={rule}
        depth={1}
        onChange={(joined, next) => onChange(joined === "or" && next.length > 0 ? [{ or: next }] : next)}
      />
    </div>
  );
}

type GroupProps = {
  table: Table;
  joined: "and" | "or";
  filters: Filter[];
  lasting: boolean | undefined;
  rule: boolean | undefined;
  depth: number;
  onChange: (joined: "and" | "or", filters: Filter[]) => void;
};

function Group({ table, joined, filters, lasting, rule, depth, onChange }: GroupProps) {
  const t = useText().filter;
  const fields = table.fields.filter((field) => canFilter(field) && (!rule || isRuleField(field)));
  const replace = (index: number, next: Filter | undefined) =>
    onChange(
      joined,
      next === undefined
        ? filters.filter((_, at) => at !== index)
        : filters.map((one, at) => (at === index ? next : one)),
    );
  const first = fields[0];
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{joined === "and" ? t.all : t.any}</legend>
      {filters.map((filter, index) => (
        // Conditions have no identity of their own but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="flex items-start gap-2">
          <div className="w-18 shrink-0 pt-0.5 max-sm:w-16">
            {index === 0 ? (
              <span className="block px-2 pt-1.5 text-[13px] text-muted">{t.where}</span>
            ) : index === 1 ? (
              <Select
                aria-label={t.conjunction}
                className="h-8! pr-6! text-[13px]"
                value={joined}
                onChange={(event) => onChange(event.target.value as "and" | "or", filters)}
              >
                <option value="and">{t.and}</option>
                <option value="or">{t.or}</option>
              </Select>
            ) : (
              <span className="block px-2 pt-1.5 text-[13px] text-muted">{joined === "and" ? t.and : t.or}</span>
            )}
          </div>
          <div className="min-w-0 flex-1">
            {"and" in filter || "or" in filter ? (
              <div className="rounded-lg border border-line bg-sunken p-2">
                <Group
                  table={table}
                  joined={"or" in filter ? "or" : "and"}
                  filters={"or" in filter ? filter.or : filter.and}
                  lasting={lasting}
                  rule={rule}
                  depth={depth + 1}
                  onChange={(next, inner) =>
                    replace(index, inner.length === 0 ? undefined : next === "or" ? { or: inner } : { and: inner })
                  }
                />
              </div>
            ) : (
              <Condition
                table={table}
                fields={fields}
                leaf={filter}
                lasting={lasting}
                rule={rule}
                onChange={(next) => replace(index, next)}
              />
            )}
          </div>
          <IconButton
            size="sm"
            className="mt-1"
            label={"fieldId" in filter ? t.remove : t.removeGroup}
            onClick={() => replace(index, undefined)}
          >
            <Trash2 size={15} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="flex gap-1">
        <Button
          size="sm"
          look="quiet"
          disabled={!first}
          icon={<Plus size={15} aria-hidden />}
          onClick={() => first && onChange(joined, [...filters, leafFor(first)])}
        >
          {t.add}
        </Button>
        {depth < deepest && (
          <Button
            size="sm"
            look="quiet"
            disabled={!first}
            icon={<Plus size={15} aria-hidden />}
            onClick={() =>
              first &&
              onChange(joined, [...filters, joined === "and" ? { or: [leafFor(first)] } : { and: [leafFor(first)] }])
            }
          >
            {t.addGroup}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function Condition({
  table,
  fields,
  leaf,
  lasting,
  rule,
  onChange,
}: {
  table: Table;
  fields: Field[];
  leaf: Leaf;
  lasting: boolean | undefined;
  rule: boolean | undefined;
  onChange: (leaf: Leaf) => void;
}) {
  const text = useText();
  const t = text.filter;
  const { people: context } = useBase();
  const field = table.fields.find((one) => one.id === leaf.fieldId || one.name === leaf.fieldId);
  const like = field && likeOf(field);
  const personal = rule && field ? personalOf(field, leaf.op) : undefined;
  return (
    <div className="grid grid-cols-1 gap-1.5 sm:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_minmax(0,1.4fr)]">
      <Select
        aria-label={t.field}
        value={field?.id ?? ""}
        onChange={(event) => {
          const next = fields.find((one) => one.id === event.target.value);
          if (next) onChange(leafFor(next));
        }}
      >
        {!field && <option value="" />}
        {fields.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Select>
      {field && like && (
        <>
          <Select
            aria-label={t.operator}
            value={leaf.op}
            onChange={(event) => {
              const op = event.target.value;
              onChange(withOp(leaf, op, field));
            }}
          >
            {!opsOf(field).includes(leaf.op) && <option value={leaf.op}>{leaf.op}</option>}
            {opsOf(field)
              .filter((op) => !lasting || op !== "is_within")
              .map((op) => (
                <option key={op} value={op}>
                  {opLabel(op, field, text)}
                </option>
              ))}
          </Select>
          <div className="flex min-w-0 flex-col gap-1.5">
            {personal && (
              <Select
                aria-label={t.comparedWith}
                value={isPersonal(leaf.value) ? "person" : "value"}
                onChange={(event) =>
                  onChange({
                    ...leaf,
                    value:
                      event.target.value === "person" ? personal : startValue(leaf.op, operandOf(field, leaf.op)),
                  })
                }
              >
                <option value="person">{t.personal["me" in personal ? "me" : personal.my]}</option>
                <option value="value">{t.givenValue}</option>
              </Select>
            )}
            {!isPersonal(leaf.value) && (
              <OperandEditor
                kind={kindOf(like.type)}
                operand={operandOf(field, leaf.op)}
                field={like}
                op={leaf.op}
                value={leaf.value}
                lasting={lasting}
                context={context}
                format={(value, of) => format(value, of, context)}
                onChange={(value) => onChange({ ...leaf, value })}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
}

/**
 * A condition with another operator. It keeps what it compares with where both operators take the
 * same.
 */
function withOp(leaf: Leaf, op: string, field: Field): Leaf {
  const operand = operandOf(field, op);
  if (operand === "none") return { fieldId: field.id, op };
  const start = startValue(op, operand);
  const same =
    operand === operandOf(field, leaf.op) && start === startValue(leaf.op, operand) && !isPersonal(leaf.value);
  return { fieldId: field.id, op, value: same ? leaf.value : start };
}
