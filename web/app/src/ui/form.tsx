import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { Check } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { join } from "./class.ts";

export const inputClass =
  "w-full rounded-md border border-line-strong bg-surface px-2.5 text-ink placeholder:text-faint shadow-low " +
  "transition-colors focus-visible:outline-2 focus-visible:outline-offset-[-1px] focus-visible:outline-(--ring) " +
  "disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken aria-[invalid=true]:border-danger";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={join(inputClass, "h-8.5", className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea rows={4} {...rest} className={join(inputClass, "py-2 leading-[1.5] resize-y", className)} />;
}

/** The platform's own select: right on a phone, with every screen reader, and in a dialog. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <select {...rest} className={join(inputClass, "select h-8.5 appearance-none pr-8", className)}>
      {children}
    </select>
  );
}

type RowProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  className?: string;
  children: (at: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ReactNode;
};

/** Turns what the service says of a value, "is required", into a sentence. */
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A labelled control with its hint and its error, tied together for assistive technology. */
export function Row({ label, hint, error, className, children }: RowProps) {
  const id = useId();
  const about = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={join("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className="text-[13px] font-[560]">
        {label}
      </label>
      {children({ id, "aria-describedby": about, "aria-invalid": error ? true : undefined })}
      {error ? (
        <p id={`${id}-error`} className="text-[13px] text-danger">
          {typeof error === "string" ? sentence(error) : error}
        </p>
      ) : hint ? (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

type CheckProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label?: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  "aria-label"?: string;
  "aria-describedby"?: string;
  id?: string;
};

export function Checkbox({ checked, onChange, label, hint, disabled, ...rest }: CheckProps) {
  const box = (
    <BaseCheckbox.Root
      {...rest}
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next === true)}
      className={join(
        "mt-px grid size-4.5 shrink-0 place-items-center rounded-[5px] border border-line-strong",
        "bg-surface text-on-accent",
        "data-[checked]:border-accent data-[checked]:bg-accent data-[disabled]:opacity-50",
      )}
    >
      <BaseCheckbox.Indicator>
        <Check size={13} strokeWidth={3} aria-hidden />
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>
  );
  if (!label) return box;
  return (
    <label className={join("flex items-start gap-2.5", disabled && "opacity-60")}>
      {box}
      <span className="flex min-w-0 flex-col">
        <span>{label}</span>
        {hint && <span className="text-[13px] text-muted">{hint}</span>}
      </span>
    </label>
  );
}

export function Switch({ checked, onChange, label, disabled }: Omit<CheckProps, "label"> & { label: string }) {
  return (
    <label className="flex items-center justify-between gap-3">
      <span className="min-w-0 truncate">{label}</span>
      <BaseSwitch.Root
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        className={join(
          "flex h-4.5 w-8 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors",
          "data-[checked]:bg-accent",
        )}
      >
        <BaseSwitch.Thumb
          className={join(
            "size-3.5 rounded-full bg-white shadow-low transition-",
            "transform data-[checked]:translate-x-3.5",
          )}
        />
      </BaseSwitch.Root>
    </label>
  );
}
