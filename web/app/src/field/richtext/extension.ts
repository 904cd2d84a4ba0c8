import { Extension, Node } from "@tiptap/core";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { Heading } from "@tiptap/extension-heading";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Markdown } from "@tiptap/markdown";
import { StarterKit } from "@tiptap/starter-kit";

/** The blocks of a text that can be edited. */
const blocks = [
  "paragraph",
  "heading",
  "bulletList",
  "orderedList",
  "taskList",
  "blockquote",
  "codeBlock",
  "horizontalRule",
];

/** What a block was before it was edited, so that what was not edited is saved as it was. */
const Source = Extension.create({
  name: "source",
  addGlobalAttributes: () => [
    {
      types: blocks,
      attributes: {
        source: { default: null, rendered: false, keepOnSplit: false },
        gap: { default: null, rendered: false, keepOnSplit: false },
      },
    },
  ],
});

/** A block that is shown as it is written, because it would lose something: HTML, tables, images. */
const Verbatim = Node.create({
  name: "verbatim",
  group: "block",
  atom: true,
  selectable: true,
  addAttributes: () => ({ source: { default: "" }, gap: { default: null } }),
  parseHTML: () => [],
  renderHTML: ({ node }) => ["pre", { class: "verbatim" }, String(node.attrs.source)],
});

// What begins a block of another kind where a line of a paragraph begins with it.
const marker = /^(?=(?:[-+]|#{1,6}|=+|-{2,})(?:\s|$))/gm;
const number = /^(\d{1,9})(?=[.)](?:\s|$))/gm;

/** A paragraph whose lines are read as its own, whatever they begin with. */
const Lines = Paragraph.extend({
  renderMarkdown: (node, helpers) =>
    helpers
      .renderChildren(node.content ?? [])
      .replace(/^ +/gm, "")
      .replace(marker, "\\")
      .replace(number, "$1\\"),
});

/** A heading that keeps a # at its end. */
const Title = Heading.configure({ levels: [1, 2, 3] }).extend({
  renderMarkdown: (node, helpers) => {
    const text = helpers.renderChildren(node.content ?? []).trim();
    return `${"#".repeat((node.attrs as { level: number }).level)} ${text.replace(/(#+)$/, "\\$1")}`;
  },
});

/** What texts are made of: CommonMark with struck text and tasks, as GitHub has them. Underlining has no Markdown. */
export const extensions = [
  StarterKit.configure({
    underline: false,
    paragraph: false,
    heading: false,
    link: { openOnClick: false, defaultProtocol: "https" },
  }),
  Lines,
  Title,
  TaskList,
  TaskItem.configure({ nested: true, a11y: { checkboxLabel: (node) => node.textContent || "–" } }),
  Source,
  Verbatim,
  Markdown,
];
