import { Checkbox } from "../../ui/form.tsx";
import type { ControlProps } from "../kind.ts";

export function CheckboxControl({ at, value, disabled, onChange }: ControlProps) {
  return (
    <Checkbox
      id={at.id}
      aria-describedby={at["aria-describedby"]}
      checked={value === true}
      disabled={disabled}
      onChange={onChange}
    />
  );
}
