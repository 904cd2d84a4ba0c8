import { Plus, X } from "lucide-react";
import type { Field, FormCondition, FormWhen } from "../api/type.ts";
import { opLabel, opsOf } from "../filter/op.ts";
import { useFormText } from "../text/form.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Input, Select } from "../ui/form.tsx";
import { isPublic } from "./question.ts";

/** The comparisons that a form makes without the database. */
const operators = ["eq", "neq", "contains", "not_contains", "has_any", "has_none", "is_empty", "is_not_empty"];
const uncompared = ["datetime", "duration", "attachment"]; // are written in many ways, or are files

const operatorsOf = (field: Field) =>
  opsOf(field).filter(
    (op) => operators.includes(op) && (op.startsWith("is_") || !uncompared.includes(field.type)),
  );

/** Reports whether a question may depend on the answer to a field. */
export const comparable = (field: Field): boolean => isPublic(field) && operatorsOf(field).length > 0;

const optionsOf = (field: Field): string[] | undefined => field.config?.options?.map((option) => option.name);

/** What a condition compares with at first: a value that the service takes. */
function conditionOn(field: Field, op = operatorsOf(field)[0] ?? "is_not_empty"): FormCondition {
  if (op.startsWith("is_")) return { fieldId: field.id, op };
  const options = optionsOf(field);
  if (options) return { fieldId: field.id, op, value: op.startsWith("has_") ? options.slice(0, 1) : options[0] };
  return { fieldId: field.id, op, value: field.type === "checkbox" ? true : undefined };
}

type Props = { title: string; fields: Field[]; when: FormWhen; onChange: (when: FormWhen) => void };

/** When a question or a page is asked: comparisons of earlier answers. */
export function FormConditions({ title, fields, when, onChange: change }: Props) {
  const t = useFormText();
  const first = fields[0];
  const { condition: conditions = [], match } = when;
  const onChange = (condition: FormCondition[]) => change({ condition, match });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-[13px] font-[560]">{title}</legend>
      {conditions.length > 1 && (
        <Select
          className="!w-auto mr-auto"
          aria-label={t.match}
          value={match ?? "all"}
          onChange={({ target: { value } }) =>
            change({ condition: conditions, match: value === "any" ? "any" : undefined })
          }
        >
          <option value="all">{t.matchAll}</option>
          <option value="any">{t.matchAny}</option>
        </Select>
      )}
      {conditions.map((condition, at) => (
        <Condition
          key={`${at} of ${conditions.length}`}
          fields={fields}
          condition={condition}
          onChange={(next) => onChange(conditions.with(at, next))}
          onRemove={() => onChange(conditions.filter((one) => one !== condition))}
        />
      ))}
      {first && (
        <div>
          <Button
            size="sm"
            icon={<Plus size={13} aria-hidden />}
            onClick={() => onChange([...conditions, conditionOn(first)])}
          >
            {t.addCondition}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

type ConditionProps = {
  fields: Field[];
  condition: FormCondition;
  onChange: (condition: FormCondition) => void;
  onRemove: () => void;
};

function Condition({ fields, condition, onChange, onRemove }: ConditionProps) {
  const text = useText();
  const t = useFormText();
  const field = fields.find((one) => one.id === condition.fieldId);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        className="!w-auto min-w-0 flex-1 basis-36"
        aria-label={t.compared}
        value={field?.id ?? ""}
        onChange={({ target: { value } }) => {
          const next = fields.find((one) => one.id === value);
          if (next) onChange(conditionOn(next));
        }}
      >
        {!field && <option value="" />}
        {fields.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Select>
      {field && (
        <>
          <Select
            className="!w-auto min-w-0 flex-1 basis-28"
            aria-label={t.operator}
            value={condition.op}
            onChange={({ target: { value } }) => onChange(conditionOn(field, value))}
          >
            {operatorsOf(field).map((op) => (
              <option key={op} value={op}>
                {opLabel(op, field, text)}
              </option>
            ))}
          </Select>
          {!condition.op.startsWith("is_") && <Operand field={field} condition={condition} onChange={onChange} />}
        </>
      )}
      <IconButton size="sm" label={t.removeCondition} onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

type OperandProps = { field: Field; condition: FormCondition; onChange: (condition: FormCondition) => void };

function Operand({ field, condition, onChange }: OperandProps) {
  const t = useFormText();
  const at = { className: "!w-auto min-w-0 flex-1 basis-32", "aria-label": t.value, required: true };
  const options = optionsOf(field);
  const set = (value: unknown) => onChange({ ...condition, value });
  if (options) {
    const several = condition.op.startsWith("has_");
    const chosen = several ? (condition.value as string[] | undefined)?.[0] : (condition.value as string | undefined);
    return (
      <Select {...at} value={chosen ?? ""} onChange={({ target: { value } }) => set(several ? [value] : value)}>
        {options.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
    );
  }
  if (field.type === "checkbox") {
    return (
      <Select {...at} value={String(condition.value)} onChange={({ target: { value } }) => set(value === "true")}>
        <option value="true">{t.yes}</option>
        <option value="false">{t.no}</option>
      </Select>
    );
  }
  const numeric = ["number", "currency", "percent", "rating"].includes(field.type);
  return (
    <Input
      {...at}
      type={numeric ? "number" : field.type === "date" ? "date" : "text"}
      step="any"
      value={condition.value === undefined ? "" : String(condition.value)}
      onChange={({ target: { value } }) => set(value === "" ? undefined : numeric ? Number(value) : value)}
    />
  );
}
