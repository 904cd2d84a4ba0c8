import { Check, Plus, Search } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { useText } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { complain } from "../ui/toast.ts";
import type { Tone } from "../ui/tone.ts";

const creating = "\0create"; // the id of what makes a choice

export type Choice = { id: string; label: string; hint?: string; tone?: Tone };

type Props = {
  label: string;
  choices: Choice[];
  selected: string[];
  multiple: boolean;
  /** What was typed to open it. */
  startWith?: string;
  onChange: (ids: string[]) => void;
  /** Called when the choosing is over, with the way the selection should go on (columns, rows). */
  onDone?: (movement: readonly [-1 | 0 | 1, -1 | 0 | 1]) => void;
  /** Makes a choice of the name that was typed; undefined where there are no others than those listed. */
  onCreate?: (name: string) => Promise<void>;
  empty?: string;
  autoFocus?: boolean;
};

/**
 * A list to choose from by typing and with the arrow keys (the combobox pattern, with the list
 * always open).
 */
export function Picker(props: Props) {
  const { label, choices, selected, multiple, startWith = "", onChange, onDone, autoFocus = true } = props;
  const text = useText();
  const [query, setQuery] = useState(startWith);
  const [chosen, setChosen] = useState(selected);
  const [active, setActive] = useState(0);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [made, setMade] = useState<Choice[]>([]);
  const [busy, setBusy] = useState(false);
  const { onCreate } = props;
  const creates = onCreate !== undefined;

  const shown = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    const fits = ({ label: name, hint }: Choice) =>
      name.toLowerCase().includes(wanted) || hint?.toLowerCase().includes(wanted);
    const clears = !multiple && wanted === "" && chosen.length > 0;
    const none: Choice[] = clears ? [{ id: "", label: text.field.none }] : [];
    const all = [...choices, ...made.filter((one) => !choices.some((choice) => choice.id === one.id))];
    const missing = wanted !== "" && !all.some((choice) => choice.label.toLowerCase() === wanted);
    const name = text.field.createOption(query.trim());
    const offered: Choice[] = creates && missing ? [{ id: creating, label: name }] : [];
    return [...none, ...all.filter(fits), ...offered];
  }, [choices, chosen.length, creates, made, multiple, query, text.field]);

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const create = async (name: string) => {
    setBusy(true);
    try {
      await onCreate?.(name);
      const choice: Choice = { id: name, label: name, tone: "gray" };
      setMade((now) => [...now, choice]);
      setQuery("");
      setActive(0);
      toggle(choice);
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  const toggle = (choice: Choice) => {
    if (choice.id === creating) {
      if (!busy) void create(query.trim());
      return;
    }
    const next = multiple
      ? chosen.includes(choice.id)
        ? chosen.filter((one) => one !== choice.id)
        : [...chosen, choice.id]
      : choice.id === ""
        ? []
        : [choice.id];
    setChosen(next);
    onChange(next);
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && shown.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      setActive((now) => (now + step + shown.length) % shown.length);
      return;
    }
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      const choice = shown[active];
      if (choice) {
        event.preventDefault();
        event.stopPropagation();
        toggle(choice);
      }
      return;
    }
    if ((event.key === "Tab" || event.key === "Escape") && multiple && onDone) {
      event.preventDefault();
      event.stopPropagation();
      onDone(event.key === "Escape" ? [0, 0] : [event.shiftKey ? -1 : 1, 0]);
    }
  };

  return (
    <div className="w-full min-w-56">
      <div className="flex items-center gap-2 border-b border-line px-2.5">
        <Search size={14} className="shrink-0 text-faint" aria-hidden />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={shown[active] ? `${id}-${active}` : undefined}
          // The list was opened on purpose, to type into it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={autoFocus}
          value={query}
          placeholder={text.field.searchOptions}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          className="h-9 min-w-0 flex-1 bg-transparent text-[13.5px] text-ink outline-none placeholder:text-faint"
        />
      </div>
      {shown.length === 0 ? (
        <p className="px-3 py-3 text-[13px] text-muted">{props.empty ?? text.field.noOptions}</p>
      ) : (
        <ul
          ref={list}
          id={`${id}-list`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
          role="listbox"
          aria-label={label}
          aria-multiselectable={multiple}
          className="max-h-64 overflow-y-auto p-1"
        >
          {shown.map((choice, index) => {
            const on = choice.id === "" ? chosen.length === 0 : chosen.includes(choice.id);
            return (
              // The keyboard is handled by the input, which keeps the focus.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <li
                key={choice.id}
                id={`${id}-${index}`}
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
                role="option"
                aria-selected={on}
                onMouseEnter={() => setActive(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => toggle(choice)}
                className={join("flex min-h-8 items-center gap-2 rounded-md px-2", index === active && "bg-hover")}
              >
                <span className="grid size-4 shrink-0 place-items-center text-accent">
                  {on && <Check size={15} strokeWidth={2.5} aria-hidden />}
                  {choice.id === creating && <Plus size={15} aria-hidden />}
                </span>
                {choice.tone ? (
                  <span className="tone" data-tone={choice.tone}>
                    {choice.label}
                  </span>
                ) : (
                  <span className="min-w-0 truncate text-[13.5px]">{choice.label}</span>
                )}
                {choice.hint && <span className="ml-auto truncate pl-3 text-[12.5px] text-faint">{choice.hint}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
