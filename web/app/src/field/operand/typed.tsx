import { useEffect, useId, useRef, useState } from "react";
import { useText } from "../../text/index.ts";
import { Input, Select } from "../../ui/form.tsx";
import { entryBy } from "../kind.ts";
import { joinNames, splitNames } from "../list.ts";
import { optionsOf } from "../option.ts";
import type { OperandProps } from "./props.ts";

const pause = 250; // milliseconds after the last key until a typed value is used

/** A text that is used a moment after the last key, so that not every letter asks the service. */
export function TextOperand({ value, onChange }: Pick<OperandProps, "value" | "onChange">) {
  const t = useText().filter;
  const saved = typeof value === "string" ? value : "";
  const [entry, setEntry] = useState(saved);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Input
      aria-label={t.value}
      value={entry}
      placeholder={t.value}
      onChange={(event) => {
        const next = event.target.value;
        setEntry(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(next), pause);
      }}
      onBlur={() => {
        clearTimeout(timer.current);
        if (entry !== saved) onChange(entry);
      }}
    />
  );
}

type EntryProps = {
  label: string;
  /** The entry that the editor begins with. */
  start: string;
  numeric: boolean;
  /** Reads an entry; undefined for one that is empty. */
  read: (entry: string) => { value?: unknown; error?: string };
  onChange: (value: unknown) => void;
};

/**
 * An input whose entries are read as they are typed. One that cannot be read is not used, and says
 * why.
 */
function Entry({ label, start, numeric, read, onChange }: EntryProps) {
  const [entry, setEntry] = useState(start);
  const { error } = read(entry);
  const id = useId();
  return (
    <div>
      <Input
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error && id}
        inputMode={numeric ? "decimal" : "text"}
        value={entry}
        placeholder={label}
        onChange={(event) => {
          setEntry(event.target.value);
          const next = read(event.target.value);
          if (next.error === undefined) onChange(next.value ?? undefined);
        }}
      />
      {error && (
        <p id={id} role="alert" className="mt-1 text-[12.5px] text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

type NumberProps = Omit<OperandProps, "op"> & { label?: string };

/** A number, read as the field's own values are. */
export function NumberOperand({ kind, field, context, label, value, onChange }: NumberProps) {
  const t = useText().filter;
  return (
    <Entry
      label={label ?? t.value}
      start={entryBy(kind, value, field, context)}
      numeric
      read={(entry) => readEntry({ kind, field, context }, entry)}
      onChange={onChange}
    />
  );
}

/** Reads an entry as the kind does, also for a field whose values nobody writes. */
function readEntry({ kind, field, context }: Pick<OperandProps, "kind" | "field" | "context">, entry: string) {
  const bare = entry.trim();
  if (bare === "" || !kind.parse) return { value: undefined };
  return kind.parse(bare, field, context, entry);
}

/** Two numbers, the lowest and the highest. */
export function RangeOperand(props: OperandProps) {
  const t = useText().filter;
  const { value, onChange } = props;
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <div className="grid grid-cols-2 gap-1.5">
      <NumberOperand {...props} label={t.from} value={from} onChange={(next) => onChange([next, to])} />
      <NumberOperand {...props} label={t.to} value={to} onChange={(next) => onChange([from, next])} />
    </div>
  );
}

/** A list of values, separated by commas. */
export function ListOperand({ kind, field, context, value, onChange }: OperandProps) {
  const t = useText().filter;
  const start = Array.isArray(value) ? (value as unknown[]).map((one) => entryBy(kind, one, field, context)) : [];
  const read = (entry: string) => {
    const values: unknown[] = [];
    for (const part of splitNames(entry)) {
      const parsed = kind.numeric ? readEntry({ kind, field, context }, part) : { value: part };
      if (parsed.error !== undefined) return { error: parsed.error };
      values.push(parsed.value);
    }
    return { value: values };
  };
  const numeric = kind.numeric === true;
  return <Entry label={t.list} start={joinNames(start)} numeric={numeric} read={read} onChange={onChange} />;
}

export function BooleanOperand({ value, onChange }: OperandProps) {
  const t = useText().filter;
  const shown = value === false ? "no" : "yes";
  return (
    <Select aria-label={t.value} value={shown} onChange={(event) => onChange(event.target.value === "yes")}>
      <option value="yes">{t.yes}</option>
      <option value="no">{t.no}</option>
    </Select>
  );
}

/** One of the field's options. */
export function OptionOperand({ field, value, onChange }: OperandProps) {
  const text = useText();
  const shown = typeof value === "string" ? value : "";
  return (
    <Select
      aria-label={text.filter.value}
      value={shown}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{text.field.choose}</option>
      {optionsOf(field).map((option) => (
        <option key={option.name} value={option.name}>
          {option.name}
        </option>
      ))}
    </Select>
  );
}
