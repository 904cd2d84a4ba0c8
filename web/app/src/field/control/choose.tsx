import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/index.ts";
import { join } from "../../ui/class.ts";
import { inputClass } from "../../ui/form.tsx";
import { Popover } from "../../ui/menu.tsx";
import type { Field } from "../../api/type.ts";
import { useAddOption } from "../addoption.ts";
import type { At } from "../kind.ts";
import { optionChoices } from "../option.ts";
import { type Choice, Picker } from "../picker.tsx";

type Props = {
  label: string;
  at: At;
  disabled?: boolean;
  choices: Choice[];
  selected: string[];
  multiple: boolean;
  onChange: (ids: string[]) => void;
  onCreate?: (name: string) => Promise<void>;
};

/** A choice of the options of a field, to which those who may change fields add others. */
export function OptionChooser({ field, ...props }: Omit<Props, "choices" | "label"> & { field: Field }) {
  return (
    <Chooser {...props} label={field.name} choices={optionChoices(field)} onCreate={useAddOption(field)} />
  );
}

/** A choice from a list that opens below; what is chosen stands as coloured labels. */
export function Chooser({ label, at, disabled, choices, selected, multiple, onChange, onCreate }: Props) {
  const text = useText();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={(next) => setOpen(next && !disabled)}
      className="w-(--anchor-width) min-w-60"
      trigger={
        // The name contains what is chosen, which a button has no other way to announce.
        <button
          {...at}
          type="button"
          disabled={disabled}
          aria-labelledby={`${at.id}-label ${at.id}-value`}
          aria-haspopup="listbox"
          className={join(inputClass, "flex min-h-8.5 items-center gap-1 py-1 text-left")}
        >
          <span id={`${at.id}-value`} className="flex min-w-0 flex-1 flex-wrap gap-1">
            {selected.length === 0 && <span className="text-faint">{text.field.choose}</span>}
            {selected.map((id) => {
              const choice = choices.find((one) => one.id === id);
              return (
                <span key={id} className="tone" data-tone={choice?.tone}>
                  {choice?.label ?? id}
                </span>
              );
            })}
          </span>
          {!disabled && <ChevronDown size={14} className="shrink-0 text-faint" aria-hidden />}
        </button>
      }
    >
      <Picker
        label={label}
        choices={choices}
        selected={selected}
        multiple={multiple}
        onChange={(ids) => {
          onChange(ids);
          if (!multiple) setOpen(false);
        }}
        onCreate={onCreate}
        onDone={() => setOpen(false)}
      />
    </Popover>
  );
}
