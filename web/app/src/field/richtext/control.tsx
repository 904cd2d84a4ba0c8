import { Editor } from "@tiptap/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useRichText } from "../../text/richtext.ts";
import { Button } from "../../ui/button.tsx";
import { join } from "../../ui/class.ts";
import { TypedControl } from "../control/typed.tsx";
import type { ControlProps } from "../kind.ts";
import { readBy } from "../read.ts";
import { extensions } from "./extension.ts";
import { read, save } from "./markdown.ts";
import { FormattingBar } from "./toolbar.tsx";
import "./richtext.css";

const longest = 20_000; // characters; reading longer ones would hold up the page

/** A text that is stored as Markdown and edited as it looks, or as it is written, as a very long one always is. */
export function RichTextControl(props: ControlProps) {
  const t = useRichText();
  const [isLong] = useState(() => textOf(props.value).length > longest);
  const [written, setWritten] = useState(isLong);
  return (
    <div>
      {written ? <TypedControl {...props} rows={8} className="font-mono text-[13px]" /> : <Formatted {...props} />}
      {!props.disabled && !isLong && (
        <Button look="quiet" size="sm" className="mt-1 text-muted!" onClick={() => setWritten(!written)}>
          {written ? t.formatted : t.markdown}
        </Button>
      )}
    </div>
  );
}

/** Has an editor show a text, and returns the text. */
function show(editor: Editor, markdown: string): string {
  editor.commands.setContent(read(editor, markdown), { emitUpdate: false });
  return markdown;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function Formatted(props: ControlProps) {
  const { field, value, at, disabled = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const [editor, setEditor] = useState<Editor>();
  // What the editor was given or has handed over; it has something else once somebody has edited it.
  const known = useRef("");
  const edited = useRef(false);

  useEffect(() => {
    const made = new Editor({
      element: place.current,
      extensions,
      injectCSS: false, // the content policy allows no styles but those of files
      onUpdate: () => (edited.current = true),
    });
    known.current = show(made, textOf(latest.current.value));
    const take = () => {
      if (!edited.current) return;
      edited.current = false;
      const { kind, field: now, context, onChange, onError } = latest.current;
      const markdown = save(made);
      if (markdown === known.current) return;
      known.current = markdown;
      const parsed = readBy(kind, markdown, now, context);
      onError(parsed.error);
      if (parsed.error === undefined) onChange(parsed.value);
    };
    const leave = ({ relatedTarget }: FocusEvent) => frame.current?.contains(relatedTarget as Element | null) || take();
    const framed = frame.current;
    framed?.addEventListener("focusout", leave);
    setEditor(made);
    return () => {
      framed?.removeEventListener("focusout", leave);
      take(); // what is taken away while it is edited, as by going back, is left without an event
      made.destroy();
    };
  }, []);

  const saved = textOf(value);
  useEffect(() => {
    if (editor && !edited.current && saved !== known.current) known.current = show(editor, saved);
  }, [editor, saved]);
  const described = at["aria-describedby"];
  const invalid = at["aria-invalid"];
  useEffect(() => {
    editor?.setOptions({
      editable: !disabled,
      editorProps: {
        attributes: {
          id: at.id,
          role: "textbox",
          "aria-multiline": "true",
          "aria-label": field.name,
          "aria-readonly": String(disabled),
          ...(described && { "aria-describedby": described }),
          ...(invalid && { "aria-invalid": "true" }),
        },
      },
    });
  }, [at.id, described, disabled, editor, field.name, invalid]);

  return (
    <div
      ref={frame}
      className={join(
        "rounded-md border border-line-strong shadow-low",
        "focus-within:outline-2 focus-within:outline-offset-[-1px] focus-within:outline-(--ring)",
        disabled ? "bg-sunken" : "bg-surface",
      )}
    >
      {editor && !disabled && <FormattingBar editor={editor} />}
      <div ref={place} className="rich" />
    </div>
  );
}
