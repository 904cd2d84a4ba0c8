import type { Editor } from "@tiptap/core";
import {
  Bold,
  Code,
  Heading2,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Quote,
  SquareCode,
  Strikethrough,
} from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useRichText } from "../../text/richtext.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Input, Row } from "../../ui/form.tsx";

type Chain = ReturnType<Editor["chain"]>;
type Tool = {
  name: "bold" | "italic" | "strike" | "code" | "heading" | "bullets" | "numbers" | "tasks" | "quote" | "codeBlock";
  Icon: LucideIcon;
  active: (editor: Editor) => boolean;
  apply: (chain: Chain) => Chain;
};

const tools: Tool[] = [
  { name: "bold", Icon: Bold, active: (e) => e.isActive("bold"), apply: (c) => c.toggleBold() },
  { name: "italic", Icon: Italic, active: (e) => e.isActive("italic"), apply: (c) => c.toggleItalic() },
  { name: "strike", Icon: Strikethrough, active: (e) => e.isActive("strike"), apply: (c) => c.toggleStrike() },
  { name: "code", Icon: Code, active: (e) => e.isActive("code"), apply: (c) => c.toggleCode() },
  {
    name: "heading",
    Icon: Heading2,
    active: (e) => e.isActive("heading"),
    apply: (c) => c.toggleHeading({ level: 2 }),
  },
  { name: "bullets", Icon: List, active: (e) => e.isActive("bulletList"), apply: (c) => c.toggleBulletList() },
  { name: "numbers", Icon: ListOrdered, active: (e) => e.isActive("orderedList"), apply: (c) => c.toggleOrderedList() },
  { name: "tasks", Icon: ListChecks, active: (e) => e.isActive("taskList"), apply: (c) => c.toggleTaskList() },
  { name: "quote", Icon: Quote, active: (e) => e.isActive("blockquote"), apply: (c) => c.toggleBlockquote() },
  { name: "codeBlock", Icon: SquareCode, active: (e) => e.isActive("codeBlock"), apply: (c) => c.toggleCodeBlock() },
];

/** Moves the focus among the buttons of a toolbar, which is one stop of Tab. */
function roam(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}

/** The buttons that format what is selected in an editor. */
export function FormattingBar({ editor }: { editor: Editor }) {
  const t = useRichText();
  const [, setTurn] = useState(0);
  const [used, setUsed] = useState(false); // a selection that nobody has made yet says nothing
  const [linking, setLinking] = useState(false);
  useEffect(() => {
    const again = () => setTurn((turn) => turn + 1);
    const use = () => setUsed(true);
    editor.on("transaction", again).on("focus", use);
    return () => void editor.off("transaction", again).off("focus", use);
  }, [editor]);
  const isLink = used && editor.isActive("link");
  return (
    <>
      <div
        role="toolbar"
        tabIndex={-1}
        aria-label={t.toolbar}
        className="flex flex-wrap gap-0.5 border-b border-line p-1"
        onKeyDown={roam}
      >
        {tools.map(({ name, Icon, active, apply }, index) => (
          <IconButton
            key={name}
            size="sm"
            label={t[name]}
            aria-pressed={used && active(editor)}
            tabIndex={index === 0 ? 0 : -1}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onMouseDown={(event) => event.preventDefault()} // the selection stays
            onClick={() => apply(editor.chain().focus()).run()}
          >
            <Icon size={15} aria-hidden />
          </IconButton>
        ))}
        <IconButton
          size="sm"
          label={t.link}
          aria-pressed={isLink}
          aria-expanded={linking}
          tabIndex={-1}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setLinking(!linking)}
        >
          <Link size={15} aria-hidden />
        </IconButton>
      </div>
      {linking && <LinkForm editor={editor} onClose={() => setLinking(false)} />}
    </>
  );
}

/** The address that was entered, or undefined where it is none that a link may have. */
function addressOf(entry: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:/i.test(entry) ? entry : `https://${entry}`;
  return /^(https?:\/\/|mailto:)\S+$/i.test(address) ? address : undefined;
}

function LinkForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const t = useRichText();
  const { href = "" } = editor.getAttributes("link") as { href?: string };
  const [entry, setEntry] = useState(href);
  const [wrong, setWrong] = useState(false);
  const remove = () => {
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
    onClose();
  };
  const set = () => {
    const trimmed = entry.trim();
    if (trimmed === "") return remove();
    const address = addressOf(trimmed);
    if (!address) return setWrong(true);
    const chain = editor.chain().focus();
    const attrs = { href: address };
    if (editor.state.selection.empty && !editor.isActive("link"))
      chain.insertContent({ type: "text", text: trimmed, marks: [{ type: "link", attrs }] }).run();
    else chain.extendMarkRange("link").setLink(attrs).run();
    onClose();
  };
  return (
    <div className="flex items-end gap-2 border-b border-line p-2">
      <Row label={t.address} error={wrong ? t.wrongLink : undefined} className="flex-1">
        {(at) => (
          <Input
            {...at}
            type="url"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was asked for with a button
            autoFocus
            value={entry}
            onChange={(event) => {
              setEntry(event.target.value);
              setWrong(false);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== "Escape") return;
              event.preventDefault();
              event.stopPropagation(); // neither sends a form nor closes what the text is in
              if (event.key === "Enter") set();
              else onClose();
            }}
          />
        )}
      </Row>
      <Button onClick={set}>{t.setLink}</Button>
      {href && <Button onClick={remove}>{t.removeLink}</Button>}
    </div>
  );
}
