import { zoneOf } from "../context.ts";
import { fromLocalInput, toLocalInput } from "../date.ts";
import type { EditorProps } from "../kind.ts";
import { LineEditor } from "./typed.tsx";

type Calendar = {
  type: "date" | "datetime-local";
  /** The value as the browser's input holds it, and back. */
  toInput: (value: string) => string;
  fromInput: (input: string) => string | undefined;
};

/** Typed as text in any usual form, or picked from the browser's calendar. */
function WithCalendar({ calendar, ...props }: EditorProps & { calendar: Calendar }) {
  const { value, onDone } = props;
  return (
    <div className="flex min-w-56 items-center">
      <div className="min-w-0 flex-1">
        <LineEditor {...props} />
      </div>
      <input
        type={calendar.type}
        tabIndex={-1}
        aria-label={props.field.name}
        defaultValue={typeof value === "string" ? calendar.toInput(value) : ""}
        onMouseDown={(event) => event.currentTarget.showPicker?.()}
        onChange={(event) => onDone(calendar.fromInput(event.target.value) ?? null, [0, 0])}
        className="mr-1 h-7 w-7 rounded-md bg-transparent text-transparent hover:bg-hover"
      />
    </div>
  );
}

const date: Calendar = {
  type: "date",
  toInput: (value) => value.slice(0, 10),
  fromInput: (input) => input || undefined,
};

export const DateEditor = (props: EditorProps) => <WithCalendar {...props} calendar={date} />;

export function TimestampEditor(props: EditorProps) {
  const zone = zoneOf(props.field, props.context);
  const calendar: Calendar = {
    type: "datetime-local",
    toInput: (value) => toLocalInput(value, zone),
    fromInput: (input) => fromLocalInput(input, zone),
  };
  return <WithCalendar {...props} calendar={calendar} />;
}
