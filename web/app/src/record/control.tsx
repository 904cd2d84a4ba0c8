import { Lock } from "lucide-react";
import { useId, useState } from "react";
import { useBase } from "../access/base.ts";
import type { Field, Values } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import type { At } from "../field/kind.ts";
import { format } from "../field/value.ts";
import { useText } from "../text/index.ts";

/** What is shown in place of a field's name and description. */
export type Words = { label: string; help: string | undefined };

type Props = {
  field: Field;
  words?: Words;
  value: unknown;
  values: Values;
  disabled?: boolean;
  error?: string;
  required?: boolean;
  onChange: (value: unknown) => void;
  /** Called when uploads of the field begin or need a decision, and when none do any more. */
  onUploading?: (field: Field, uploading: boolean) => void;
  /**
   * Called with the reason when the content of the control cannot be parsed, and without one when
   * it can again.
   */
  onUnreadable?: (field: Field, reason: string | undefined) => void;
};

/**
 * A labelled control for one field. A value that cannot be parsed stays in it, with the reason
 * below.
 */
export function FieldControl(props: Props) {
  const { field, words, value, values, disabled, error: outer, required, onChange, onUploading, onUnreadable } = props;
  const help = words?.help ?? field.config?.description;
  const text = useText();
  const { people: context } = useBase();
  const [own, setOwn] = useState<string>();
  const report = (reason: string | undefined) => {
    setOwn(reason);
    onUnreadable?.(field, reason);
  };
  const id = useId();
  const error = own ?? outer;
  const kind = kindOf(field.type);
  const described = [
    error && `${id}-error`,
    help && `${id}-hint`,
    field.locked && `${id}-lock`,
  ]
    .filter(Boolean)
    .join(" ");
  const at: At = {
    id,
    "aria-describedby": described || undefined,
    "aria-invalid": error ? true : undefined,
    "aria-required": required || undefined,
  };
  return (
    <div className="flex flex-col gap-1.5" data-failed={error ? "" : undefined}>
      <label id={`${id}-label`} htmlFor={id} className="flex items-center gap-1.5 text-[13px] font-[560] text-muted">
        <kind.icon size={14} className="shrink-0 text-faint" aria-hidden />
        <span className="min-w-0 break-words">{words?.label ?? field.name}</span>
        {required && (
          <span aria-hidden className="text-danger">
            *
          </span>
        )}
        {field.locked && <Lock size={13} className="shrink-0 text-faint" aria-hidden />}
      </label>
      {help && (
        <p id={`${id}-hint`} className="-mt-0.5 text-[13px] whitespace-pre-line text-faint">
          {help}
        </p>
      )}
      <kind.Control
        kind={kind}
        field={field}
        value={value}
        values={values}
        context={context}
        format={(one, of) => format(one, of, context)}
        at={at}
        disabled={disabled}
        onChange={onChange}
        onError={report}
        onUploading={onUploading}
      />
      {field.locked && (
        <p id={`${id}-lock`} className="text-[13px] text-faint">
          {text.field.readOnly.lockedBy}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
