import { ChevronDown, ExternalLink, Plus, Star, X } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import type { Field, Values } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import { fromLocalInput, toLocalInput } from "../field/date.ts";
import { kindOf } from "../field/kind.ts";
import { Picker, type Choice } from "../field/picker.tsx";
import { editText, format, linkedOf, listOf, optionsOf, optionTone, parse, peopleOf, userValue } from "../field/value.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Checkbox, Input, inputClass, Textarea } from "../ui/form.tsx";
import { late } from "../ui/late.tsx";
import { Popover } from "../ui/menu.tsx";
import { toneOf } from "../ui/tone.ts";
import { buttonAddress } from "./button.ts";
import { LinkDialog } from "./link.tsx";

const AttachmentControl = late(() => import("./attachment.tsx").then((module) => module.AttachmentControl));

type Props = {
  field: Field;
  value: unknown;
  values: Values;
  disabled?: boolean;
  error?: string;
  required?: boolean;
  onChange: (value: unknown) => void;
  /** Called when files of the field begin to be under way or to need a decision, and when none do any more. */
  onUploading?: (field: Field, under: boolean) => void;
  /** Called with the reason when the control holds what cannot be read, and without one when it does not any more. */
  onUnreadable?: (field: Field, reason: string | undefined) => void;
};

type At = { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean; "aria-required"?: boolean };
type ControlProps = Props & { at: At; onError: (error: string | undefined) => void };

/** A labelled control for one field. A value that cannot be read stays in it, with the reason below. */
export function FieldControl(props: Props) {
  const { field, error: outer, required, onUnreadable } = props;
  const [own, setOwn] = useState<string>();
  const report = (reason: string | undefined) => {
    setOwn(reason);
    onUnreadable?.(field, reason);
  };
  const id = useId();
  const error = own ?? outer;
  const Symbol = kindOf(field.type).icon;
  const described = [error && `${id}-error`, field.config?.description && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const at: At = { id, "aria-describedby": described, "aria-invalid": error ? true : undefined, "aria-required": required || undefined };
  return (
    <div className="flex flex-col gap-1.5" data-failed={error ? "" : undefined}>
      <label id={`${id}-label`} htmlFor={id} className="flex items-center gap-1.5 text-[13px] font-[560] text-muted">
        <Symbol size={14} className="text-faint" aria-hidden />
        {field.name}
        {required && <span aria-hidden className="text-danger">*</span>}
      </label>
      {field.config?.description && (
        <p id={`${id}-hint`} className="-mt-0.5 text-[13px] text-faint">
          {field.config.description}
        </p>
      )}
      <Control {...props} at={at} onError={report} />
      {error && (
        <p id={`${id}-error`} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

function Control(props: ControlProps) {
  const { field, value, at, disabled, onChange } = props;
  switch (kindOf(field.type).shape) {
    case "bool":
      return <Checkbox id={at.id} aria-describedby={at["aria-describedby"]} checked={value === true} disabled={disabled} onChange={onChange} />;
    case "choice":
    case "choices":
      return <ChoiceControl {...props} />;
    case "user":
      return <PeopleControl {...props} />;
    case "link":
      return <LinkControl {...props} />;
    case "attachment":
      return <AttachmentControl field={field} value={value} at={at} disabled={disabled} onChange={onChange} onUploading={props.onUploading} />;
    case "none":
      return <ButtonControl {...props} />;
    case "date":
      return disabled ? <ReadOnly {...props} /> : <DateControl {...props} />;
    case "moment":
      return disabled ? <ReadOnly {...props} /> : <MomentControl {...props} />;
    default:
      return field.type === "rating" ? <RatingControl {...props} /> : <TypedControl {...props} />;
  }
}

function ReadOnly({ field, value, at }: ControlProps) {
  const { people } = useOpened();
  return <Input {...at} readOnly value={format(value, field, people)} />;
}

/** A date. The browser hands over nothing while a part of it is missing, so that is told when the control is left. */
function DateControl({ value, at, onChange, onError }: ControlProps) {
  const check = (input: HTMLInputElement) => onError(input.validity.badInput ? text.field.invalid.incompleteDate : undefined);
  return (
    <Input
      {...at}
      type="date"
      value={typeof value === "string" ? value.slice(0, 10) : ""}
      className="w-48!"
      onChange={(event) => {
        if (event.target.validity.badInput) return;
        onError(undefined);
        onChange(event.target.value || null);
      }}
      onBlur={(event) => check(event.target)}
      onKeyDown={(event) => event.key === "Enter" && check(event.currentTarget)}
    />
  );
}

/** A date and time in the field's zone. It is taken when it is complete and the control is left. */
function MomentControl({ field, value, at, onChange, onError }: ControlProps) {
  const zone = field.config?.timeZone;
  const shown = typeof value === "string" ? toLocalInput(value, zone) : "";
  const take = (input: HTMLInputElement) => {
    if (input.validity.badInput) return onError(text.field.invalid.incompleteMoment);
    if (input.value === shown) return onError(undefined);
    const next = input.value === "" ? null : fromLocalInput(input.value, zone);
    if (next === undefined) return onError(text.field.invalid.datetime(input.value));
    onError(undefined);
    return onChange(next);
  };
  return (
    <Input
      {...at}
      key={shown}
      type="datetime-local"
      defaultValue={shown}
      className="w-64!"
      onBlur={(event) => take(event.target)}
      onKeyDown={(event) => event.key === "Enter" && take(event.currentTarget)}
    />
  );
}

function TypedControl({ field, value, at, disabled, onChange, onError }: ControlProps) {
  const { people } = useOpened();
  const saved = editText(value, field, people);
  // What is being typed; undefined while the control shows what is saved.
  const [typed, setTyped] = useState<string>();
  const [focused, setFocused] = useState(false);
  const entry = typed ?? saved;
  // A number is shown as everywhere else, and complete while it is edited.
  const number = kindOf(field.type).shape === "number";
  const shown = typed === undefined && !focused && number ? format(value, field, people) : entry;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // The text has been replaced, and with it the selection that the browser makes for who comes with Tab.
    if (focused && number) input.current?.select();
  }, [focused, number]);
  const take = () => {
    if (entry === saved) {
      setTyped(undefined);
      return onError(undefined);
    }
    const parsed = parse(entry, field, people);
    onError(parsed.error);
    if (parsed.error !== undefined) return undefined;
    onChange(parsed.value);
    setTyped(undefined);
    return undefined;
  };
  const common = {
    ...at,
    value: shown,
    readOnly: disabled,
    onFocus: () => setFocused(!disabled),
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setTyped(event.target.value);
      onError(undefined);
    },
    onBlur: () => {
      setFocused(false);
      take();
    },
  };
  if (field.type === "long_text" || field.type === "json") {
    return <Textarea {...common} rows={field.type === "json" ? 6 : 4} className={field.type === "json" ? "font-mono text-[13px]" : ""} />;
  }
  const type = { email: "email", url: "url", phone: "tel" }[field.type as string] ?? "text";
  return (
    <div className="flex gap-1.5">
      <Input
        {...common}
        ref={input}
        type={type === "email" || type === "url" ? "text" : type}
        inputMode={number ? "decimal" : (type as "email" | "url" | "tel" | "text")}
        onKeyDown={(event) => event.key === "Enter" && take()}
      />
      {field.type === "url" && /^https?:\/\//i.test(saved) && (
        <a href={saved} target="_blank" rel="noopener noreferrer" aria-label={`${text.field.open}: ${saved}`} className="grid size-8.5 shrink-0 place-items-center rounded-md border border-line-strong text-muted hover:bg-hover">
          <ExternalLink size={15} aria-hidden />
        </a>
      )}
    </div>
  );
}

function RatingControl({ field, value, at, disabled, onChange }: ControlProps) {
  const max = field.config?.max ?? 5;
  const now = typeof value === "number" ? value : 0;
  return (
    <div id={at.id} role="radiogroup" aria-label={field.name} className="flex h-8.5 items-center">
      {Array.from({ length: max }, (_, index) => index + 1).map((star) => (
        <button
          key={star}
          type="button"
          role="radio"
          aria-checked={star === now}
          aria-label={text.field.stars(star, max)}
          disabled={disabled}
          onClick={() => onChange(star === now ? null : star)}
          className="rounded p-1"
        >
          <Star size={20} className={star <= now ? "text-warn" : "text-line-strong"} fill={star <= now ? "currentColor" : "none"} aria-hidden />
        </button>
      ))}
    </div>
  );
}

type SeveralProps = { label: string; at: At; disabled?: boolean; choices: Choice[]; selected: string[]; multiple: boolean; onChange: (ids: string[]) => void };

/** A choice from a list that opens below: the value stands as coloured labels. */
function Chooser({ label, at, disabled, choices, selected, multiple, onChange }: SeveralProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={(next) => setOpen(next && !disabled)}
      className="w-(--anchor-width) min-w-60"
      trigger={
        // The name holds what is chosen, which a button has no other way to tell.
        <button {...at} type="button" disabled={disabled} aria-labelledby={`${at.id}-label ${at.id}-value`} aria-haspopup="listbox" className={join(inputClass, "flex min-h-8.5 items-center gap-1 py-1 text-left")}>
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
        onDone={() => setOpen(false)}
      />
    </Popover>
  );
}

function ChoiceControl({ field, value, at, disabled, onChange }: ControlProps) {
  const multiple = field.type === "multi_select";
  return (
    <Chooser
      label={field.name}
      at={at}
      disabled={disabled}
      multiple={multiple}
      choices={optionsOf(field).map((option) => ({ id: option.name, label: option.name, tone: optionTone(field, option.name) }))}
      selected={listOf(value)}
      onChange={(ids) => onChange(multiple ? ids : (ids[0] ?? null))}
    />
  );
}

function PeopleControl({ field, value, at, disabled, onChange }: ControlProps) {
  const { people } = useOpened();
  return (
    <Chooser
      label={field.name}
      at={at}
      disabled={disabled}
      multiple={field.config?.multiple === true}
      choices={people.people.map((person) => ({ id: person.id, label: person.name, hint: person.email, tone: toneOf(person.id) }))}
      selected={peopleOf(value, people).map((person) => person.id)}
      onChange={(ids) => onChange(userValue(ids, field))}
    />
  );
}

function LinkControl({ field, value, at, disabled, onChange }: ControlProps) {
  const [open, setOpen] = useState(false);
  const { people } = useOpened();
  const linked = linkedOf(value, people);
  return (
    <div className="flex flex-col gap-1.5">
      {linked.length > 0 && (
        <ul className="flex flex-col gap-1">
          {linked.map((record) => (
            <li key={record.id} className="flex h-8.5 items-center rounded-md border border-line bg-canvas pr-1 pl-3">
              <span className="min-w-0 flex-1 truncate">{record.name || text.base.record.untitled}</span>
              {!disabled && (
                <button
                  type="button"
                  aria-label={text.field.unlink(record.name || text.base.record.untitled)}
                  onClick={() => onChange(listOf(value).filter((id) => id !== record.id))}
                  className="grid size-6.5 place-items-center rounded text-faint hover:bg-hover hover:text-ink"
                >
                  <X size={14} aria-hidden />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button {...at} size="sm" disabled={disabled} icon={<Plus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          {text.field.linkRecord}
        </Button>
      </div>
      {open && <LinkDialog field={field} selected={linked} onClose={() => setOpen(false)} onSave={(records) => onChange(records.map((record) => record.id))} />}
    </div>
  );
}

function ButtonControl({ field, values, at }: ControlProps) {
  const address = buttonAddress(field, values);
  return (
    <div>
      <Button {...at} disabled={!address} onClick={() => address && window.open(address, "_blank", "noopener,noreferrer")}>
        {field.config?.label ?? field.name}
      </Button>
    </div>
  );
}
