import type { Field, Values } from "../api/type.ts";
import { factsOf } from "../field/facts.ts";
import { FieldControl, type Words } from "./control.tsx";

type Props = {
  fields: Field[];
  values: Values;
  disabled?: boolean;
  errors?: Record<string, string | undefined>;
  required?: ReadonlySet<string>;
  /** What a form calls a field, and says of it. */
  wordsOf?: (field: Field) => Words | undefined;
  onEdit: (field: Field, value: unknown) => void;
  onUploading?: (field: Field, under: boolean) => void;
  onUnreadable?: (field: Field, reason: string | undefined) => void;
};

/**
 * The fields of a record as an ordinary form: every value can be read and changed without the grid.
 */
export function RecordForm(props: Props) {
  const { fields, values, disabled, errors, required, wordsOf, onEdit, onUploading, onUnreadable } = props;
  return (
    <div className="flex flex-col gap-5">
      {fields.map((field) => (
        <FieldControl
          key={field.id}
          field={field}
          words={wordsOf?.(field)}
          value={values[field.name]}
          values={values}
          disabled={disabled || factsOf(field.type).readOnly || field.locked}
          error={errors?.[field.id]}
          required={required?.has(field.id) ?? field.config?.required === true}
          onChange={(value) => onEdit(field, value)}
          onUploading={onUploading}
          onUnreadable={onUnreadable}
        />
      ))}
    </div>
  );
}
