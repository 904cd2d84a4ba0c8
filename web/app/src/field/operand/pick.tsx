import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/index.ts";
import { join } from "../../ui/class.ts";
import { inputClass } from "../../ui/form.tsx";
import { Popover } from "../../ui/menu.tsx";
import { type Choice, Picker } from "../picker.tsx";
import type { OperandProps } from "./props.ts";

/** Several of a list, chosen in a popover. */
export function PickOperand({ choices, value, onChange }: OperandProps & { choices: Choice[] }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const ids = Array.isArray(value) ? (value as string[]) : [];
  return (
    <Popover
      label={text.filter.value}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={text.filter.value}
          className={join(inputClass, "flex min-h-8.5 items-center gap-1 py-1 text-left")}
        >
          <span className="flex min-w-0 flex-1 flex-wrap gap-1">
            {ids.length === 0 && <span className="text-faint">{text.field.choose}</span>}
            {ids.map((id) => {
              const choice = choices.find((one) => one.id === id);
              return (
                <span key={id} className="tone" data-tone={choice?.tone}>
                  {choice?.label ?? id}
                </span>
              );
            })}
          </span>
          <ChevronDown size={14} className="shrink-0 text-faint" aria-hidden />
        </button>
      }
    >
      <Picker
        label={text.filter.value}
        choices={choices}
        selected={ids}
        multiple
        onChange={onChange}
        onDone={() => setOpen(false)}
      />
    </Popover>
  );
}
