import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { Check } from "lucide-react";
import { type Tone, tones } from "./tone.ts";
import { join } from "./class.ts";

/** The colours as a row of swatches; arrows move between them. */
export function TonePicker({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Tone | undefined;
  onChange: (tone: Tone) => void;
}) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-[560]">{label}</legend>
      <RadioGroup
        aria-label={label}
        value={value ?? ""}
        onValueChange={(next) => onChange(next as Tone)}
        className="flex flex-wrap gap-1.5"
      >
        {tones.map((tone) => (
          <Radio.Root
            key={tone}
            value={tone}
            aria-label={tone}
            title={tone}
            data-tone={tone}
            className={join(
              "tone grid! size-7 place-items-center rounded-md! p-0!",
              "data-[checked]:ring-2 data-[checked]:ring-ink",
            )}
          >
            <Radio.Indicator>
              <Check size={15} strokeWidth={2.5} aria-hidden />
            </Radio.Indicator>
          </Radio.Root>
        ))}
      </RadioGroup>
    </fieldset>
  );
}
