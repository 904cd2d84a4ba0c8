import { Editor, type JSONContent } from "@tiptap/core";
import { expect, test } from "vitest";
import { extensions } from "../src/field/richtext/extension.ts";
import { read, save } from "../src/field/richtext/markdown.ts";
import { plainOf } from "../src/field/richtext/plain.ts";
import { slowTimeout } from "./fieldsample.tsx";

const editor = new Editor({ element: null, extensions, injectCSS: false });

const open = (markdown: string) => editor.commands.setContent(read(editor, markdown));
const kinds = () => (editor.getJSON().content ?? []).map(({ type }) => type);

const oddities = `Setext
===

Text with  two spaces and a trailing one 
next line
* one
* two
    1. deep
+ other

A line break\\
and <b>HTML</b>

| a | b |
|---|---|
| 1 | 2 |

![picture](https://example.com/x.png)

[defined][ref] here

***
~~~js
let a = "*";
~~~


- [ ] to do
- [x] done

End

    indented code

[ref]: https://example.com
`;

test("what is not edited is saved as it was, to the letter", () => {
  open(oddities);
  expect(save(editor)).toBe(oddities);
  const texts = ["", "a", "a\n", "# A\nb\n- c", "1) x\n2) y", "* * *", "a  \nb", "<div>\nx\n</div>", "| a |\n|---|"];
  for (const text of texts) {
    open(text);
    expect(save(editor)).toBe(text);
  }
});

test("what an editor would lose is shown as it is written", () => {
  open(oddities);
  const verbatim = (editor.getJSON().content ?? []).filter(({ type }) => type === "verbatim");
  const sources = verbatim.map(({ attrs }) => String(attrs?.source)).join("\n");
  for (const lost of ["<b>HTML</b>", "| a | b |", "![picture]", "[defined][ref]", "[ref]: https"])
    expect(sources).toContain(lost);
  expect(kinds()).toEqual(expect.arrayContaining(["heading", "paragraph", "bulletList", "taskList", "codeBlock"]));
});

test("a text that would take long to read is shown as it is written", () => {
  const parts = { "**a ": 5000, "_a*": 500, "> ": 9000, "a\n\n": 5000, "[": 900 };
  for (const [part, count] of Object.entries(parts)) {
    const text = part.repeat(count);
    open(text);
    expect(kinds()).toEqual(["verbatim"]);
    expect(save(editor)).toBe(text);
  }
  open("- [ ] *a* `b`\n".repeat(100)); // as people write
  expect(kinds()).toEqual(["taskList"]);
});

test("no text leads to a script", () => {
  for (const address of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x"]) {
    open(`[x](${address}) <${address}> <img src=x onerror=alert(1)>`);
    expect(editor.getHTML()).not.toMatch(/<a [^>]*href="[a-z]|<img/i);
    open(`[x](${address})`);
    expect(editor.getHTML()).not.toMatch(/<a [^>]*href="[a-z]/i);
    expect(save(editor)).toBe(`[x](${address})`);
  }
});

test("an edit changes its block alone", () => {
  const text = "* one\n* two\n\n\n\nSome _text_\n***\n<i>x</i>\n";
  open(text);
  let at = 0;
  editor.state.doc.descendants((node, place) => {
    if (node.isText && node.text === "Some ") at = place + 1;
  });
  editor.commands.insertContentAt(at, "!");
  expect(save(editor)).toBe("* one\n* two\n\n\n\nS!ome *text*\n\n***\n<i>x</i>\n");
});

test("a block that follows another one closely stays its own when that becomes text", () => {
  open("# A\nText\n- item");
  editor.commands.setTextSelection(2);
  editor.commands.setParagraph();
  expect(save(editor)).toBe("A\n\nText\n- item");
});

/** Shows a document, and describes it. */
const described = (content: JSONContent) => {
  editor.commands.setContent(content);
  return editor.state.doc.toString();
};

/** A small generator of numbers, the same for each seed. */
function generator(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return { next, pick: <T>(list: readonly T[]) => list[next(list.length)]! };
}

const words =
  "a bold # - + 1. 2) * ** _x_ `code` [x](y) <b> & &amp; \\ > | ~ ~~ === --- ü 日本 5*3*2 snake_case ! ![i] $1 x: # "
    .trim()
    .split(" ");
const marks = ["bold", "italic", "strike", "code"];

/** A document as somebody could make it in an editor. */
function randomDoc(seed: number): JSONContent {
  const { next, pick } = generator(seed);
  const line = (): JSONContent[] => {
    const parts: JSONContent[] = [];
    for (let n = 1 + next(3); n > 0; n--) {
      const text = Array.from({ length: 1 + next(4) }, () => pick(words)).join(" ");
      const mark = next(3) === 0 ? pick(marks) : undefined;
      // Text of the same marks is one, and words stand apart.
      parts.push({ type: "text", text: "plain" }, { type: "text", text, ...(mark && { marks: [{ type: mark }] }) });
    }
    const joined: JSONContent[] = [];
    for (const part of parts) {
      const before = joined.at(-1);
      if (before && !before.marks && !part.marks) before.text += ` ${part.text}`;
      else if (before) joined.push(before.marks ? { ...part, text: ` ${part.text}` } : part);
      else joined.push(part);
    }
    for (const [at, part] of joined.entries()) if (joined[at + 1]?.marks) part.text += " ";
    return joined;
  };
  const paragraph = () => ({ type: "paragraph", content: line() });
  const list = (depth: number, inNumbers = false): JSONContent => {
    // Tasks in a numbered list are not read; they are shown as they are written.
    const type = pick(inNumbers ? ["bulletList", "orderedList"] : ["bulletList", "orderedList", "taskList"]);
    const item = (): JSONContent => ({
      type: type === "taskList" ? "taskItem" : "listItem",
      ...(type === "taskList" && { attrs: { checked: next(2) === 1 } }),
      content: [paragraph(), ...(depth > 0 && next(4) === 0 ? [list(depth - 1, type === "orderedList")] : [])],
    });
    return { type, content: Array.from({ length: 1 + next(3) }, item) };
  };
  const block = (): JSONContent => {
    switch (next(6)) {
      case 0:
        return { type: "heading", attrs: { level: 1 + next(3) }, content: line() };
      case 1:
        return list(1);
      case 2:
        return { type: "blockquote", content: [paragraph()] };
      case 3:
        return { type: "codeBlock", content: [{ type: "text", text: `${pick(words)}\n  ${pick(words)}` }] };
      default:
        return paragraph();
    }
  };
  // Two lists in a row are one, as Markdown has no other way to say it.
  const blocks: JSONContent[] = [];
  const and = { type: "paragraph", content: [{ type: "text", text: "and" }] };
  for (let n = 1 + next(5); n > 0; n--) blocks.push(block(), and);
  return { type: "doc", content: blocks };
}

test("what is made in an editor is read again as it was", { timeout: slowTimeout }, () => {
  const lost: string[] = [];
  for (let seed = 1; seed <= 1000; seed++) {
    const made = described(randomDoc(seed));
    const text = save(editor);
    const again = described(read(editor, text));
    if (again !== made) lost.push(`seed ${seed}\n${text}\n${made}\n${again}`);
  }
  expect(lost.length, lost.slice(0, 3).join("\n\n")).toBe(0);
});

test("cells show what a text says, without its marks", () => {
  const text = "# Plan\n\n**Buy** *two* `nails`, ~~not~~ [here](https://example.com)\n- [ ] a\n- [x] b\n* c\n> so";
  expect(plainOf(text)).toBe("Plan\n\nBuy two nails, not here\n☐ a\n☑ b\n• c\nso");
  for (const same of ["5 * 3 * 2", "snake_case_name", "a - b", "2 ** 3", "x_1 and y_2", "1. one"])
    expect(plainOf(same)).toBe(same);
  expect(plainOf("5\\*3 \\# &lt;b&gt; \\**x\\**")).toBe("5*3 # <b> **x**");
});
