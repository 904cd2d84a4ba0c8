import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Problem } from "../api/problem.ts";
import { useText } from "../text/index.ts";
import { useCommentText } from "../text/comment.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Textarea } from "../ui/form.tsx";
import { type Asked, askedAt, type Draft, emptyDraft, fitting, textOfDraft, withPerson } from "./mention.ts";

const drafts = new Map<string, Draft>(); // what was not sent yet, while the page is open
const maxText = 10_000; // characters, as the service allows
const maxRows = 12;

type Props = {
  /** What a draft is kept under when the composer is left. */
  keep?: string;
  label: string;
  /** What is edited. */
  initial?: Draft;
  action: string;
  /** The members who can be mentioned. */
  people: readonly { id: string; name: string; email?: string }[];
  /** Set for a field that is opened to write in it. */
  focused?: boolean;
  onSend: (text: string) => Promise<void>;
  onCancel?: () => void;
};

/** A field to write a comment in. After an @ it offers the members to mention. */
export function Composer({ keep, label, initial, action, people, focused, onSend, onCancel }: Props) {
  const text = useText();
  const t = useCommentText();
  const [draft, setDraft] = useState<Draft>(() => initial ?? drafts.get(keep ?? "") ?? emptyDraft);
  const [asked, setAsked] = useState<Asked>();
  const [active, setActive] = useState(0);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const caret = useRef<number | undefined>(focused ? draft.text.length : undefined); // where it is put next
  const id = useId();
  const offered = asked ? fitting(people, asked.query) : [];
  const open = offered.length > 0;
  const length = [...textOfDraft(draft)].length;

  useEffect(() => {
    if (!keep) return;
    if (draft.text.trim()) drafts.set(keep, draft);
    else drafts.delete(keep);
  }, [draft, keep]);

  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const change = (value: string, at: number) => {
    setDraft((now) => ({ ...now, text: value }));
    setAsked(askedAt(value, at));
    setActive(0);
    setError(undefined);
  };
  const choose = (person: { id: string; name: string }) => {
    if (!asked) return;
    const next = withPerson(draft, asked, person);
    caret.current = next.caret;
    setDraft(next.draft);
    setAsked(undefined);
    field.current?.focus();
  };
  const send = async () => {
    const body = textOfDraft(draft);
    if (body === "" || length > maxText || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSend(body);
      setDraft(emptyDraft);
    } catch (failure) {
      setError(Problem.from(failure).message);
    } finally {
      setBusy(false);
      // The button that was pressed takes no focus while it is busy.
      const { activeElement } = document;
      if (activeElement === document.body || form.current?.contains(activeElement)) field.current?.focus();
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const take = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      take();
      setActive((now) => (now + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length);
    } else if (open && (event.key === "Enter" || event.key === "Tab") && !event.ctrlKey && !event.metaKey) {
      take();
      const person = offered[active];
      if (person) choose(person);
    } else if (event.key === "Escape" && open) {
      take();
      setAsked(undefined);
    } else if (event.key === "Escape" && onCancel) {
      take();
      onCancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      take();
      void send();
    }
  };

  const rows = Math.min(maxRows, Math.max(initial || keep === undefined ? 2 : 1, draft.text.split("\n").length));
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="relative">
        <Textarea
          ref={field}
          aria-label={label}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={open ? `${id}-${active}` : undefined}
          aria-invalid={error !== undefined || length > maxText}
          aria-describedby={`${id}-hint`}
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={focused}
          rows={rows}
          placeholder={label}
          value={draft.text}
          readOnly={busy}
          onChange={(event) => change(event.target.value, event.target.selectionStart)}
          onSelect={(event) => setAsked(askedAt(draft.text, event.currentTarget.selectionStart))}
          onBlur={() => setAsked(undefined)}
          onKeyDown={onKeyDown}
          className="[field-sizing:content] max-h-72 min-h-10"
        />
        {open && (
          <ul
            id={`${id}-list`}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
            role="listbox"
            aria-label={t.people}
            className={join(
              "pop absolute top-full right-0 left-0 z-10 mt-0.5 max-h-64 overflow-y-auto rounded-lg",
              "border border-line bg-surface p-1 shadow-high",
            )}
          >
            {offered.map((person, index) => (
              <li
                key={person.id}
                id={`${id}-${index}`}
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
                role="option"
                aria-selected={index === active}
                // The field keeps the focus.
                onPointerDown={(event) => {
                  event.preventDefault();
                  choose(person);
                }}
                onPointerMove={() => setActive(index)}
                className={join("flex items-center gap-2.5 rounded-md px-2 py-1.5", index === active && "bg-hover")}
              >
                <Avatar name={person.name} id={person.id} size={24} />
                <span className="min-w-0 flex-1 truncate">{person.name}</span>
                {person.email && <span className="truncate text-[12.5px] text-faint">{person.email}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="mt-2 flex items-center gap-2">
        <p
          id={`${id}-hint`}
          role={error || length > maxText ? "alert" : undefined}
          className={join("min-w-0 flex-1 text-[12.5px]", error || length > maxText ? "text-danger" : "text-faint")}
        >
          {error ?? (length > maxText ? t.tooLong(length - maxText) : t.hint)}
        </p>
        {onCancel && (
          <Button size="sm" look="quiet" onClick={onCancel}>
            {text.action.cancel}
          </Button>
        )}
        <Button
          type="submit"
          size="sm"
          look="primary"
          busy={busy}
          disabled={draft.text.trim() === "" || length > maxText}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
