import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Field } from "../../api/type.ts";
import { useLocale } from "../../locale/locale.ts";
import { useFormulaText } from "../../text/formula.ts";
import { join } from "../../ui/class.ts";
import type { At, KindOf } from "../kind.ts";
import { functions } from "./catalogue.ts";
import { accepting, type Asked, askedAt, type Edit, type Offer, offersFor } from "./completion.ts";
import { Highlight, rectOf } from "./highlight.tsx";
import { OfferList, Signature } from "./offerlist.tsx";
import { callAt } from "./token.ts";

export type EditorHandle = {
  /** Makes a change as if it had been typed, so that it can be undone. */
  apply: (edit: Edit) => void;
  /** Selects a part, and takes the focus. */
  select: (start: number, end: number) => void;
  /** Where the caret is, or was when the focus went. */
  caret: () => number;
};

type Props = {
  at: At;
  formula: string;
  fields: Field[];
  /** What is wrong, by its places. */
  wrong: { start: number; end: number }[];
  maxLength: number | undefined;
  kindOf: KindOf;
  onChange: (formula: string) => void;
  ref?: Ref<EditorHandle>;
};

// The text that is edited lies over the same text in colours, so both are laid out alike.
const laidOut =
  "col-start-1 row-start-1 px-3 py-2.5 font-mono text-[13px] leading-[22px] [font-variant-ligatures:none] " +
  "whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:2]";

/** A formula as it is written: coloured, completed, and with what is wrong underlined. */
export function FormulaEditor({ at, formula, fields, wrong, maxLength, kindOf, onChange, ref }: Props) {
  const t = useFormulaText();
  const locale = useLocale();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const colours = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<Asked>();
  const [active, setActive] = useState(0);
  const [caret, setCaret] = useState(formula.length);
  const offers = useMemo(() => (asked ? offersFor(asked, fields, functions) : []), [asked, fields]);
  const names = useMemo(() => new Set(fields.map((one) => one.name)), [fields]);
  const open = offers.length > 0;
  const call = open ? undefined : callAt(formula, caret);
  const called = call && functions.find(({ name }) => name === call.name);

  const ask = (next: Asked | undefined) => {
    setAsked(next);
    setActive(0);
  };
  const apply = (edit: Edit) => {
    const input = field.current;
    if (!input) return;
    input.focus();
    input.setSelectionRange(edit.start, edit.end);
    // What is inserted by this command can be undone with a key, which a new value cannot.
    const done = typeof document.execCommand === "function" && document.execCommand("insertText", false, edit.text);
    if (!done) {
      input.setRangeText(edit.text, edit.start, edit.end, "end");
      onChange(input.value);
    }
    // The value that React sets next would move the caret to the end.
    queueMicrotask(() => input.setSelectionRange(edit.caret, edit.caret));
    setCaret(edit.caret);
    ask(undefined);
  };
  useImperativeHandle(ref, () => ({
    apply,
    select: (start, end) => {
      field.current?.focus();
      field.current?.setSelectionRange(start, end);
    },
    caret: () => Math.min(caret, formula.length),
  }));
  const choose = (offer: Offer) => asked && apply(accepting(formula, asked, offer));
  const placeOf = useCallback(() => rectOf(colours.current, asked?.start ?? 0), [asked]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const take = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const { key, ctrlKey, metaKey, altKey } = event;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }[key];
    if (key === " " && ctrlKey) {
      take();
      ask(askedAt(formula, event.currentTarget.selectionStart, true));
    } else if (open && step !== undefined && !altKey) {
      take();
      const last = offers.length - 1;
      // By one, the last is followed by the first.
      if (Math.abs(step) === 1) setActive((now) => (now + step + offers.length) % offers.length);
      else setActive((now) => Math.max(0, Math.min(last, now + step)));
    } else if (open && (key === "Enter" || key === "Tab") && !ctrlKey && !metaKey && !event.shiftKey) {
      take();
      const offer = offers[active];
      if (offer) choose(offer);
    } else if (open && key === "Escape") {
      take();
      ask(undefined);
    } else if (key === "Enter" && (ctrlKey || metaKey)) {
      take();
      event.currentTarget.form?.requestSubmit();
    }
  };

  return (
    <div className="flex flex-col">
      <div
        className={join(
          "max-h-56 overflow-y-auto rounded-md border border-line-strong bg-surface shadow-low",
          "focus-within:outline-2 focus-within:outline-offset-[-1px] focus-within:outline-(--ring)",
        )}
      >
        <div className="grid min-h-24">
          <div ref={colours} aria-hidden className={join(laidOut, "pointer-events-none text-ink")}>
            <Highlight formula={formula} names={names} wrong={wrong} />
          </div>
          <textarea
            {...at}
            ref={field}
            role="combobox"
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-expanded={open}
            aria-controls={open ? `${id}-list` : undefined}
            aria-activedescendant={open ? `${id}-list-${active}` : undefined}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            autoComplete="off"
            maxLength={maxLength}
            placeholder={t.placeholder}
            value={formula}
            onChange={(event) => {
              const { value, selectionStart } = event.target;
              onChange(value);
              setCaret(selectionStart);
              const composing = (event.nativeEvent as InputEvent).isComposing === true;
              ask(composing ? undefined : askedAt(value, selectionStart));
            }}
            onCompositionEnd={(event) => ask(askedAt(event.currentTarget.value, event.currentTarget.selectionStart))}
            onSelect={(event) => {
              const { selectionStart, selectionEnd, value } = event.currentTarget;
              setCaret(selectionStart);
              // A list stays while the caret is in what it completes.
              const next = selectionStart === selectionEnd ? askedAt(value, selectionStart, true) : undefined;
              if (asked && (next?.start !== asked.start || value !== formula)) ask(undefined);
            }}
            onBlur={() => ask(undefined)}
            onKeyDown={onKeyDown}
            className={join(
              laidOut,
              "resize-none overflow-hidden bg-transparent text-transparent caret-ink outline-none",
              "placeholder:text-faint selection:bg-accent/25 selection:text-transparent",
            )}
          />
        </div>
      </div>
      <p className="mt-1.5 min-h-10 text-[12.5px] leading-5 text-muted">
        {called ? (
          <>
            <Signature signature={called.signature} argument={call.argument} />
            <span className="line-clamp-1">{called.help}</span>
          </>
        ) : (
          t.hint
        )}
      </p>
      <span role="status" className="sr-only">
        {open && t.count(offers.length)}
      </span>
      {open && (
        <OfferList
          id={`${id}-list`}
          offers={offers}
          active={active}
          locale={locale}
          kindOf={kindOf}
          placeOf={placeOf}
          onActive={setActive}
          onChoose={choose}
        />
      )}
    </div>
  );
}
