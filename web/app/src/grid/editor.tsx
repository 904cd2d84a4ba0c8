import type { ProvideEditorComponent } from "@glideapps/glide-data-grid";
import { useLayoutEffect, useRef, useState } from "react";
import { fromLocalInput, toLocalInput } from "../field/date.ts";
import { kindOf } from "../field/kind.ts";
import { Picker, type Choice } from "../field/picker.tsx";
import { editText, listOf, optionsOf, optionTone, parse, peopleOf, userValue } from "../field/value.ts";
import { text } from "../text/index.ts";
import { toneOf } from "../ui/tone.ts";
import type { FieldCell } from "./cell.ts";
import { takeComposing } from "./compose.ts";

type EditorProps = Parameters<ProvideEditorComponent<FieldCell>>[0];

const edge = 8; // pixels that stay free between an editor and the window's edge

/** The editor that the grid lays over a cell, by the shape of the field's values. It stays inside the window. */
export function FieldEditor(props: EditorProps) {
  const { target } = props;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = place.current?.closest<HTMLElement>(".gdg-style");
    if (!box) return undefined;
    const settle = () => {
      box.style.maxWidth = `${Math.max(target.width, Math.min(400, window.innerWidth - 2 * edge))}px`;
      box.style.maxHeight = `${window.innerHeight - 2 * edge}px`;
      box.style.left = `${Math.max(edge, Math.min(target.x - 1, window.innerWidth - edge - box.offsetWidth))}px`;
      box.style.top = `${Math.max(edge, Math.min(target.y - 1, window.innerHeight - edge - box.offsetHeight))}px`;
    };
    settle();
    const observer = new ResizeObserver(settle);
    observer.observe(box);
    return () => observer.disconnect();
  }, [target]);
  return (
    <div ref={place} className="flex min-h-0 flex-col">
      <Editor {...props} />
    </div>
  );
}

function Editor(given: EditorProps) {
  const [empty] = useState(takeComposing);
  const props = empty ? { ...given, initialValue: "" } : given;
  const { field } = props.value.data;
  switch (kindOf(field.type).shape) {
    case "choice":
    case "choices":
      return <ChoiceEditor {...props} />;
    case "user":
      return <PersonEditor {...props} />;
    case "date":
    case "moment":
      return <DateEditor {...props} />;
    default:
      return <TextEditor {...props} />;
  }
}

const withValue = (cell: FieldCell, value: unknown): FieldCell => ({ ...cell, data: { ...cell.data, value } });
const inputClass = "w-full border-0 bg-surface px-2.5 text-[13.5px] text-ink outline-none";

/** Text, numbers and everything else that is typed. What cannot be read keeps the editor open and says why. */
function TextEditor({ value: cell, initialValue, onFinishedEditing, target }: EditorProps) {
  const { field, context } = cell.data;
  const [entry, setEntry] = useState(() => initialValue ?? editText(cell.data.value, field, context));
  const [error, setError] = useState<string>();
  const done = useRef(false);
  const long = field.type === "long_text" || kindOf(field.type).shape === "json";

  const finish = (movement?: readonly [-1 | 0 | 1, -1 | 0 | 1]) => {
    if (done.current) return true;
    const parsed = parse(entry, field, context);
    if (parsed.error !== undefined) {
      setError(parsed.error);
      return false;
    }
    done.current = true;
    onFinishedEditing(withValue(cell, parsed.value), movement);
    return true;
  };
  const props = {
    value: entry,
    autoFocus: true,
    "aria-label": field.name,
    "aria-invalid": error !== undefined || undefined,
    spellCheck: long,
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setEntry(event.target.value);
      setError(undefined);
    },
    onBlur: () => {
      if (!finish()) onFinishedEditing(undefined, [0, 0]);
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
        event.preventDefault();
        event.stopPropagation();
        finish([0, 1]);
      } else if (event.key === "Enter") {
        event.stopPropagation(); // Shift and Enter begin a new line
      } else if (event.key === "Tab") {
        event.preventDefault();
        event.stopPropagation();
        finish([event.shiftKey ? -1 : 1, 0]);
      } else if (event.key === "Escape") done.current = true;
    },
    onFocus: (event: React.FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const end = event.target.value.length;
      event.target.setSelectionRange(end, end);
    },
  };
  return (
    <div>
      {long ? (
        <textarea {...props} rows={Math.min(12, Math.max(4, entry.split("\n").length))} className={`${inputClass} block resize-none py-2 leading-[1.45]`} />
      ) : (
        <input {...props} className={`${inputClass} ${kindOf(field.type).shape === "number" ? "text-right tabular-nums" : ""}`} style={{ height: Math.min(target.height, 40) }} />
      )}
      {error && (
        <p role="alert" className="border-t border-danger/40 bg-danger-soft px-2.5 py-1.5 text-[12.5px] text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** Dates: typed as text in any usual form, or picked from the platform's calendar. */
function DateEditor(props: EditorProps) {
  const { value: cell, onFinishedEditing } = props;
  const { field, value } = cell.data;
  const moment = kindOf(field.type).shape === "moment";
  const zone = field.config?.timeZone;
  const picked = typeof value === "string" ? (moment ? toLocalInput(value, zone) : value.slice(0, 10)) : "";
  return (
    <div className="flex min-w-56 items-center">
      <div className="min-w-0 flex-1">
        <TextEditor {...props} />
      </div>
      <input
        type={moment ? "datetime-local" : "date"}
        tabIndex={-1}
        aria-label={text.action.edit}
        defaultValue={picked}
        onMouseDown={(event) => event.currentTarget.showPicker?.()}
        onChange={(event) => {
          const next = event.target.value === "" ? null : moment ? (fromLocalInput(event.target.value, zone) ?? null) : event.target.value;
          onFinishedEditing(withValue(cell, next), [0, 0]);
        }}
        className="mr-1 h-7 w-7 rounded-md bg-transparent text-transparent hover:bg-hover"
      />
    </div>
  );
}

function ChoiceEditor({ value: cell, initialValue, onChange, onFinishedEditing }: EditorProps) {
  const { field } = cell.data;
  const multiple = field.type === "multi_select";
  const choices: Choice[] = optionsOf(field).map((option) => ({ id: option.name, label: option.name, tone: optionTone(field, option.name) }));
  return (
    <Picker
      label={field.name}
      choices={choices}
      selected={listOf(cell.data.value)}
      multiple={multiple}
      startWith={initialValue}
      onChange={(ids) => {
        const next = withValue(cell, multiple ? ids : (ids[0] ?? null));
        if (multiple) onChange(next);
        else onFinishedEditing(next, [0, 0]);
      }}
      onDone={(movement) => onFinishedEditing(cell, movement)}
    />
  );
}

function PersonEditor({ value: cell, initialValue, onChange, onFinishedEditing }: EditorProps) {
  const { field, context } = cell.data;
  const multiple = field.config?.multiple === true;
  const choices: Choice[] = context.people.map((person) => ({ id: person.id, label: person.name, hint: person.email, tone: toneOf(person.id) }));
  return (
    <Picker
      label={field.name}
      choices={choices}
      selected={peopleOf(cell.data.value, context).map((person) => person.id)}
      multiple={multiple}
      startWith={initialValue}
      onChange={(ids) => {
        const next = withValue(cell, userValue(ids, field));
        if (multiple) onChange(next);
        else onFinishedEditing(next, [0, 0]);
      }}
      onDone={(movement) => onFinishedEditing(cell, movement)}
    />
  );
}
