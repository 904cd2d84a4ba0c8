import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import type { Field } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import { Picker, type Choice } from "../field/picker.tsx";
import { editText, optionsOf, optionTone, parse } from "../field/value.ts";
import { RecordChoice } from "../record/choice.tsx";
import { text } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { Input, inputClass, Select } from "../ui/form.tsx";
import { Popover } from "../ui/menu.tsx";
import { toneOf } from "../ui/tone.ts";
import { inputOf } from "./op.ts";

const t = text.filter;
const pause = 250; // milliseconds after the last key until a typed value is used

type Props = { field: Field; op: string; value: unknown; onChange: (value: unknown) => void };

/** The control for what a condition compares with. */
export function ValueInput({ field, op, value, onChange }: Props) {
  const { people } = useOpened();
  switch (inputOf(field, op)) {
    case "none":
      return null;
    case "text":
      return <Typed label={t.value} value={typeof value === "string" ? value : ""} onChange={onChange} />;
    case "number":
      return <NumberInput field={field} label={t.value} value={value} onChange={onChange} />;
    case "range": {
      const [from, to] = Array.isArray(value) ? (value as unknown[]) : [];
      return (
        <div className="grid grid-cols-2 gap-1.5">
          <NumberInput field={field} label={t.from} value={from} onChange={(next) => onChange([next, to])} />
          <NumberInput field={field} label={t.to} value={to} onChange={(next) => onChange([from, next])} />
        </div>
      );
    }
    case "bool":
      return (
        <Select aria-label={t.value} value={value === false ? "no" : "yes"} onChange={(event) => onChange(event.target.value === "yes")}>
          <option value="yes">{t.yes}</option>
          <option value="no">{t.no}</option>
        </Select>
      );
    case "date":
      return <DateInput value={value} onChange={onChange} />;
    case "daterange": {
      const [from, to] = Array.isArray(value) ? (value as string[]) : [];
      return (
        <div className="grid grid-cols-2 gap-1.5">
          <Input type="date" aria-label={t.from} value={from ?? ""} onChange={(event) => onChange([event.target.value, to ?? ""])} />
          <Input type="date" aria-label={t.to} value={to ?? ""} onChange={(event) => onChange([from ?? "", event.target.value])} />
        </div>
      );
    }
    case "within":
      return <WithinInput value={value} onChange={onChange} />;
    case "option":
      return (
        <Select aria-label={t.value} value={typeof value === "string" ? value : ""} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">{text.field.choose}</option>
          {optionsOf(field).map((option) => (
            <option key={option.name} value={option.name}>
              {option.name}
            </option>
          ))}
        </Select>
      );
    case "options":
      return (
        <Several
          choices={optionsOf(field).map((option) => ({ id: option.name, label: option.name, tone: optionTone(field, option.name) }))}
          value={value}
          onChange={onChange}
        />
      );
    case "people":
      return (
        <Several choices={people.people.map((person) => ({ id: person.id, label: person.name, hint: person.email, tone: toneOf(person.id) }))} value={value} onChange={onChange} />
      );
    case "records":
      return <RecordChoice tableId={field.config?.linkedTableId ?? field.linkedTableId ?? ""} value={Array.isArray(value) ? (value as string[]) : []} onChange={onChange} />;
  }
}

/** A text that is used a moment after the last key, so that not every letter asks the service. */
function Typed({ label, value, onChange }: { label: string; value: string; onChange: (value: unknown) => void }) {
  const [entry, setEntry] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Input
      aria-label={label}
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
        if (entry !== value) onChange(entry);
      }}
    />
  );
}

function NumberInput({ field, label, value, onChange }: { field: Field; label: string; value: unknown; onChange: (value: unknown) => void }) {
  const { people } = useOpened();
  const [entry, setEntry] = useState(editText(value ?? null, field, people));
  const { error } = parse(entry, field, people);
  const id = useId();
  return (
    <div>
      <Input
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error && id}
        inputMode="decimal"
        value={entry}
        placeholder={label}
        onChange={(event) => {
          setEntry(event.target.value);
          const next = parse(event.target.value, field, people);
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

type Relative = { unit: string; offset: number };
const isRelative = (value: unknown): value is Relative => typeof value === "object" && value !== null && "unit" in value;

function DateInput({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const mode = isRelative(value) ? (value.offset < 0 ? "ago" : "ahead") : value === "today" || value === "yesterday" || value === "tomorrow" ? value : "exact";
  const r = t.relative;
  return (
    <div className={join("grid gap-1.5", (mode === "exact" || mode === "ago" || mode === "ahead") && "grid-cols-2")}>
      <Select
        aria-label={t.value}
        value={mode}
        onChange={(event) => {
          const next = event.target.value;
          onChange(next === "exact" ? undefined : next === "ago" ? { unit: "day", offset: -7 } : next === "ahead" ? { unit: "day", offset: 7 } : next);
        }}
      >
        <option value="exact">{r.exact}</option>
        <option value="today">{r.today}</option>
        <option value="yesterday">{r.yesterday}</option>
        <option value="tomorrow">{r.tomorrow}</option>
        <option value="ago">{r.daysAgo}</option>
        <option value="ahead">{r.daysAhead}</option>
      </Select>
      {mode === "exact" && <Input type="date" aria-label={t.value} value={typeof value === "string" ? value.slice(0, 10) : ""} onChange={(event) => onChange(event.target.value || undefined)} />}
      {isRelative(value) && (
        <Input
          type="number"
          min={1}
          aria-label={t.days}
          value={Math.abs(value.offset)}
          onChange={(event) => onChange({ unit: "day", offset: (mode === "ago" ? -1 : 1) * Math.max(1, Number(event.target.value) || 1) })}
        />
      )}
    </div>
  );
}

function WithinInput({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const now: Relative = isRelative(value) ? value : { unit: "day", offset: -7 };
  const amount = Math.abs(now.offset);
  const sign = now.offset < 0 ? -1 : 1;
  return (
    <div className="grid grid-cols-[1fr_0.7fr_1fr] gap-1.5">
      <Select aria-label={t.direction} value={sign} onChange={(event) => onChange({ ...now, offset: Number(event.target.value) * amount })}>
        <option value={-1}>{t.within.past}</option>
        <option value={1}>{t.within.next}</option>
      </Select>
      <Input type="number" min={1} aria-label={t.value} value={amount} onChange={(event) => onChange({ ...now, offset: sign * Math.max(1, Number(event.target.value) || 1) })} />
      <Select aria-label={t.value} value={now.unit} onChange={(event) => onChange({ ...now, unit: event.target.value })}>
        {(["day", "week", "month", "year"] as const).map((unit) => (
          <option key={unit} value={unit}>
            {t.unit[unit]}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Several({ choices, value, onChange }: { choices: Choice[]; value: unknown; onChange: (value: unknown) => void }) {
  const [open, setOpen] = useState(false);
  const ids = Array.isArray(value) ? (value as string[]) : [];
  return (
    <Popover
      label={t.value}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button type="button" aria-label={t.value} className={join(inputClass, "flex min-h-8.5 items-center gap-1 py-1 text-left")}>
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
      <Picker label={t.value} choices={choices} selected={ids} multiple onChange={onChange} onDone={() => setOpen(false)} />
    </Popover>
  );
}
