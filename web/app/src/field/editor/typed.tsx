import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { type EditorProps, entryBy, type Movement } from "../kind.ts";
import { breakLine } from "../linebreak.ts";
import { readBy } from "../read.ts";

const inputClass = "w-full border-0 bg-surface px-2.5 text-[13.5px] text-ink outline-none";

type Look = { area?: boolean; right?: boolean };

const arrows: Record<string, Movement> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * The editor of everything that is typed. An entry that cannot be read keeps the editor open and
 * says why.
 */
function TypedEditor({
  kind,
  field,
  value,
  context,
  height,
  initial,
  onDone,
  onCancel,
  area,
  right,
}: EditorProps & Look) {
  const [entry, setEntry] = useState(() => initial ?? entryBy(kind, value, field, context));
  const [error, setError] = useState<string>();
  const done = useRef(false);
  // As in a spreadsheet, an arrow key saves what was typed onto a cell; F2 or a click moves in the text.
  const steps = useRef(initial !== undefined && !area);

  const finish = (movement?: Movement) => {
    if (done.current) return true;
    const parsed = readBy(kind, entry, field, context);
    if (parsed.error !== undefined) {
      setError(parsed.error);
      return false;
    }
    done.current = true;
    onDone(parsed.value, movement);
    return true;
  };
  const props = {
    value: entry,
    autoFocus: true,
    "aria-label": field.name,
    "aria-invalid": error !== undefined || undefined,
    spellCheck: area === true,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setEntry(event.target.value);
      setError(undefined);
    },
    onBlur: () => {
      if (!finish()) onCancel();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter") {
        event.stopPropagation();
        if (event.nativeEvent.isComposing || (area && breakLine(event))) return;
        event.preventDefault();
        if (event.ctrlKey || event.metaKey || event.altKey) finish([0, 0]);
        else finish([0, event.shiftKey ? -1 : 1]);
      } else if (event.key === "Tab") {
        event.preventDefault();
        event.stopPropagation();
        finish([event.shiftKey ? -1 : 1, 0]);
      } else if (event.key === "Escape") done.current = true;
      else if (event.key === "F2") steps.current = false;
      else if (steps.current && event.key in arrows && !event.shiftKey && !event.nativeEvent.isComposing) {
        event.preventDefault();
        event.stopPropagation();
        finish(arrows[event.key]);
      }
    },
    onPointerDown: () => {
      steps.current = false;
    },
    onFocus: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const end = event.target.value.length;
      event.target.setSelectionRange(end, end);
    },
  };
  return (
    <div>
      {area ? (
        <textarea
          {...props}
          rows={Math.min(12, Math.max(4, entry.split("\n").length))}
          className={`${inputClass} block resize-none py-2 leading-[1.45]`}
        />
      ) : (
        <input
          {...props}
          className={`${inputClass} ${right ? "text-right tabular-nums" : ""}`}
          style={{ height: Math.min(height, 40) }}
        />
      )}
      {error && (
        <p role="alert" className="border-t border-danger/40 bg-danger-soft px-2.5 py-1.5 text-[12.5px] text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** One line of text. */
export const LineEditor = (props: EditorProps) => <TypedEditor {...props} />;

/** A number, which stands on the right as its cell does. */
export const NumberEditor = (props: EditorProps) => <TypedEditor {...props} right />;

/** Several lines of text. */
export const AreaEditor = (props: EditorProps) => <TypedEditor {...props} area />;
