import type { Editor, JSONContent } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Lexer, Marked } from "marked";

/**
 * Markdown to the blocks of an editor and back. What was not edited is saved as it was, to the letter; what the
 * editor would lose is a block that it shows as it is written.
 */

const marked = new Marked({ gfm: true });

/** What a text shows. Two texts that show the same are the same to a reader. */
const shown = (markdown: string) => marked.parse(markdown, { async: false }).replace(/\s+/g, " ").trim();

const marks = /[*_~[\]`\\<&!]/g;
const mostMarks = 200;
const mostBlocks = 2000;
const parts = /\n(?=\s*(?:[-*+]|\d{1,9}[.)])\s)|\n\s*\n/;

/** Reports whether a block has so many marks in one place that reading it could take seconds. Nobody writes so. */
const isDense = (source: string) => source.split(parts).some((part) => (part.match(marks)?.length ?? 0) > mostMarks);

/** The blocks of a text, without what is in their lines. */
function blocksOf(markdown: string) {
  const lexer = new Lexer({ gfm: true });
  return lexer.blockTokens(markdown.replace(/\r\n?/g, "\n"), lexer.tokens);
}

type Manager = NonNullable<Editor["markdown"]>;

/** Writes one block. */
const write = (manager: Manager, block: JSONContent) => manager.serialize({ type: "doc", content: [block] }).trimEnd();

/** The block that a source is, or the source itself where the editor would lose something of it. */
function blockOf(editor: Editor, source: string, isLinked: boolean): JSONContent {
  const verbatim = { type: "verbatim", attrs: { source } };
  const manager = editor.markdown!;
  if (isDense(source)) return verbatim;
  if (isLinked && /\[(?![ xX]\])/.test(source)) return verbatim; // its address is elsewhere in the text
  const content = manager.parse(source).content ?? [];
  const block = content[0];
  if (!block || content.length > 1 || shown(write(manager, block)) !== shown(source)) return verbatim;
  try {
    editor.schema.nodeFromJSON(block).check();
  } catch {
    return verbatim;
  }
  return { ...block, attrs: { ...block.attrs, source } };
}

/** Reads a text. Each block knows its source and the white space behind it. */
export function read(editor: Editor, markdown: string): JSONContent {
  try {
    return readBlocks(editor, markdown);
  } catch {
    // As of a thousand quotes in each other, or of too many blocks.
    return { type: "doc", content: [{ type: "verbatim", attrs: { source: markdown, gap: "" } }] };
  }
}

function readBlocks(editor: Editor, markdown: string): JSONContent {
  const blocks: JSONContent[] = [];
  const tokens = blocksOf(markdown);
  if (tokens.length > mostBlocks) throw new Error("a text of too many blocks");
  const isLinked = tokens.some(({ type }) => type === "def");
  for (const { type, raw } of tokens) {
    const before = blocks.at(-1);
    if (type === "space") {
      if (before) before.attrs!.gap += raw;
      continue;
    }
    const source = raw.trimEnd();
    const block = blockOf(editor, source, isLinked);
    block.attrs!.gap = raw.slice(source.length);
    blocks.push(block);
  }
  return { type: "doc", content: blocks.length > 0 ? blocks : [{ type: "paragraph" }] };
}

const withoutSource = (node: Node) => node.type.create({ ...node.attrs, source: null, gap: null }, node.content);

/** Reports whether a block is as its source has it. */
function isAsRead(editor: Editor, node: Node): boolean {
  if (node.type.name === "verbatim") return true;
  const { source } = node.attrs as { source?: string | null };
  if (typeof source !== "string") return false;
  const [was] = editor.markdown!.parse(source).content ?? [];
  return was !== undefined && editor.schema.nodeFromJSON(was).eq(withoutSource(node));
}

/** Writes what an editor shows. */
export function save(editor: Editor): string {
  const { doc } = editor.state;
  let text = "";
  let before: { gap: string | null; same: boolean } | undefined;
  doc.forEach((node) => {
    const same = isAsRead(editor, node);
    const { source, gap } = node.attrs as { source: string; gap: string | null };
    const written = same ? source : write(editor.markdown!, node.toJSON() as JSONContent);
    if (written === "") return; // an empty paragraph, which Markdown has not
    if (before) {
      const kept = before.gap ?? "";
      // A line break that is enough between two blocks may not be enough between others.
      text += /\n[^\S\n]*\n/.test(kept) || (same && before.same && kept.includes("\n")) ? kept : "\n\n";
    }
    text += written;
    before = { gap, same };
  });
  return text + (before?.same && before.gap ? before.gap : "");
}
