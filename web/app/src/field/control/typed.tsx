import { type ChangeEvent, type ComponentType, useLayoutEffect, useRef, useState } from "react";
import { Input, Textarea } from "../../ui/form.tsx";
import { type ControlProps, entryBy, formatBy } from "../kind.ts";
import { breakLine } from "../linebreak.ts";
import { readBy } from "../read.ts";

type Look = {
  /** What a phone's keyboard offers. */
  inputMode?: "decimal" | "email" | "url" | "tel";
  type?: "tel";
  /** As many lines of text can be seen; one unless given. */
  rows?: number;
  className?: string;
  /** What is shown after the input, for the entry that is saved. */
  After?: ComponentType<{ saved: string }>;
};

/** A control for everything that is typed. It is taken when it is left. */
export function TypedControl(props: ControlProps & Look) {
  const { kind, field, value, context, at, disabled, onChange, onError, inputMode, type, rows, className, After } =
    props;
  const saved = entryBy(kind, value, field, context);
  // What is being typed; undefined while the control shows what is saved.
  const [typed, setTyped] = useState<string>();
  const [focused, setFocused] = useState(false);
  const entry = typed ?? saved;
  // A number is shown as everywhere else, and complete while it is edited.
  const number = kind.numeric === true;
  const shown = typed === undefined && !focused && number ? formatBy(kind, value, field, context) : entry;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // The text was replaced, and with it the selection that the browser makes when Tab moves the
    // focus here.
    if (focused && number) input.current?.select();
  }, [focused, number]);
  const take = () => {
    if (typed === undefined) return;
    const parsed = entry === saved ? { value: undefined } : readBy(kind, entry, field, context);
    onError(parsed.error);
    if (parsed.error !== undefined) return;
    if (entry !== saved) onChange(parsed.value);
    setTyped(undefined);
  };
  // What is taken away while it is typed in, as by going back, is left without an event.
  const leaving = useRef(take);
  useLayoutEffect(() => {
    leaving.current = take;
  });
  useLayoutEffect(() => () => leaving.current(), []);
  const common = {
    ...at,
    className,
    value: shown,
    readOnly: disabled,
    onFocus: () => setFocused(!disabled),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setTyped(event.target.value);
      onError(undefined);
    },
    onBlur: () => {
      setFocused(false);
      take();
    },
  };
  if (rows !== undefined) return <Textarea {...common} rows={rows} onKeyDown={breakLine} />;
  return (
    <div className="flex gap-1.5">
      <Input
        {...common}
        ref={input}
        type={type ?? "text"}
        inputMode={inputMode ?? "text"}
        onKeyDown={(event) => event.key === "Enter" && take()}
      />
      {After && <After saved={saved} />}
    </div>
  );
}

/** Shows a value that cannot be changed as it is read. */
export function ReadOnlyControl({ kind, field, value, context, at }: ControlProps) {
  return <Input {...at} readOnly value={formatBy(kind, value, field, context)} />;
}
