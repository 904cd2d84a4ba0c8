import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { useText } from "../../text/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/form.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { toneFrom, tones } from "../../ui/tone.ts";
import type { OptionDraft } from "../kind.ts";

type Props = { options: OptionDraft[]; onChange: (options: OptionDraft[]) => void; hint?: string };

export function OptionList({ options, onChange, hint }: Props) {
  const t = useText().field;
  const made = useRef(0);
  const replace = (key: string, change: Partial<OptionDraft>) =>
    onChange(options.map((option) => (option.key === key ? { ...option, ...change } : option)));
  const add = () =>
    onChange([
      ...options,
      { key: `new-${made.current++}`, name: "", color: tones[(options.length % (tones.length - 1)) + 1] },
    ]);
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-[560]">{t.options}</legend>
      {hint && <p className="mb-1.5 text-[12.5px] text-faint">{hint}</p>}
      <ul className="flex max-h-60 flex-col gap-1 overflow-y-auto p-0.5">
        {options.map((option, index) => (
          <li key={option.key} className="flex items-center gap-1">
            <Menu
              className="min-w-0!"
              trigger={
                <button
                  type="button"
                  aria-label={t.optionColor(option.name)}
                  data-tone={toneFrom(option.color)}
                  className="tone size-6 shrink-0 rounded-md! p-0! outline-offset-1"
                />
              }
            >
              {tones.map((tone) => (
                <MenuItem
                  key={tone}
                  icon={<span data-tone={tone} className="tone size-4 p-0!" />}
                  onSelect={() => replace(option.key, { color: tone })}
                >
                  {tone}
                </MenuItem>
              ))}
            </Menu>
            <Input
              aria-label={`${t.optionName} ${index + 1}`}
              value={option.name}
              // A new option is there to be named.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={option.name === "" && option.previousName === undefined && index === options.length - 1}
              onChange={(event) => replace(option.key, { name: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                add();
              }}
            />
            <IconButton
              size="sm"
              label={t.removeOption(option.name)}
              onClick={() => onChange(options.filter((one) => one.key !== option.key))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button size="sm" look="quiet" className="mt-1" icon={<Plus size={14} aria-hidden />} onClick={add}>
        {t.addOption}
      </Button>
    </fieldset>
  );
}
