import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { Check } from "lucide-react";
import { type Tone, tones } from "./tone.ts";
import { join } from "./class.ts";

/** The colours as a row of swatches; arrows move between them. */
export function TonePicker({
  label,
  value,
  compact,
  onChange,
}: {
  label: string;
  /** The label is only read out, and the swatches are small. */
  compact?: boolean;
  value: Tone | undefined;
  onChange: (tone: Tone) => void;
}) {
  return (
    <fieldset>
      <legend className={compact ? "sr-only" : "mb-1.5 text-[13px] font-[560]"}>{label}</legend>
      <RadioGroup
        aria-label={label}
        value={value ?? ""}
        onValueChange={(next) => onChange(next as Tone)}
        className={join("flex flex-wrap", compact ? "gap-1" : "gap-1.5")}
      >
        {tones.map((tone) => (
          <Radio.Root
            key={tone}
            value={tone}
            aria-label={tone}
            title={tone}
            data-tone={tone}
            className={join(
              "tone grid! place-items-center rounded-md! p-0!",
              compact ? "size-6.5" : "size-7",
              "data-[checked]:ring-2 data-[checked]:ring-ink",
            )}
          >
            <Radio.Indicator>
              <Check size={compact ? 13 : 15} strokeWidth={2.5} aria-hidden />
            </Radio.Indicator>
          </Radio.Root>
        ))}
      </RadioGroup>
    </fieldset>
  );
}
