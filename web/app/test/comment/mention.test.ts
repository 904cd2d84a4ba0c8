import { expect, test } from "vitest";
import { askedAt, draftOf, fitting, partsOf, textOfDraft, withPerson } from "../../src/comment/mention.ts";

const ann = { id: "usr_1", name: "Ann" };
const annLee = { id: "usr_2", name: "Ann Lee", email: "lee@example.com" };
const otherAnn = { id: "usr_3", name: "Ann" };

test("a text is shown with the present names of people", () => {
  expect(partsOf("Ask @[Old](usr_1), or @[Gone](usr_9)!", [ann, { id: "usr_9", name: null }])).toEqual([
    { text: "Ask " },
    { text: "@Ann", person: "usr_1" },
    { text: ", or " },
    { text: "@Gone", person: "usr_9" },
    { text: "!" },
  ]);
  expect(partsOf("a@b.c and @nobody", [])).toEqual([{ text: "a@b.c and @nobody" }]);
});

test("what is edited becomes the same text again", () => {
  const text = "@[Ann Lee](usr_2) and @[Ann](usr_1), then @[Ann](usr_3); @Ann's";
  const draft = draftOf(text, [ann, annLee, otherAnn]);
  expect(draft.text).toBe("@Ann Lee and @Ann, then @Ann; @Ann's");
  expect(textOfDraft({ ...draft, text: draft.text.replace("; @Ann's", "") })).toBe(text.replace("; @Ann's", ""));
});

test("of two names that begin alike the longer one is meant, and parts of words are not names", () => {
  expect(textOfDraft({ text: "@Ann Lee @Anna @Ann.", people: [ann, annLee] })).toBe(
    "@[Ann Lee](usr_2) @Anna @[Ann](usr_1).",
  );
  expect(textOfDraft({ text: "  @Ann [x] ", people: [] })).toBe("@Ann [x]");
  const odd = { id: "usr_4", name: "C++ [dev] (x)" };
  expect(textOfDraft({ text: "hi @C++ [dev] (x)", people: [odd] })).toBe("hi @[C++ (dev) (x)](usr_4)");
});

test("an @ asks for people where it begins a word", () => {
  expect(askedAt("Hello @an", 9)).toEqual({ start: 6, query: "an" });
  expect(askedAt("@", 1)).toEqual({ start: 0, query: "" });
  expect(askedAt("(@Ann L", 7)).toEqual({ start: 1, query: "Ann L" });
  expect(askedAt("mail@example", 12)).toBeUndefined();
  expect(askedAt("@Ann is here", 12)).toBeUndefined();
  expect(askedAt("Hello @an", 3)).toBeUndefined();
});

test("people are found by the words of their names and by their addresses", () => {
  const people = [{ id: "usr_5", name: "Bo Ander" }, annLee, ann];
  expect(fitting(people, "an").map(({ name }) => name)).toEqual(["Ann", "Ann Lee", "Bo Ander"]);
  expect(fitting(people, "LEE").map(({ name }) => name)).toEqual(["Ann Lee"]);
  expect(fitting(people, "lee@").map(({ name }) => name)).toEqual(["Ann Lee"]);
  expect(fitting(people, "x")).toEqual([]);
});

test("a person takes the place of what was typed", () => {
  const { draft, caret } = withPerson({ text: "Ask @an please", people: [] }, { start: 4, query: "an" }, annLee);
  expect(draft.text).toBe("Ask @Ann Lee please");
  expect(caret).toBe("Ask @Ann Lee ".length);
  expect(textOfDraft(draft)).toBe("Ask @[Ann Lee](usr_2) please");
  const earlier = withPerson({ text: "@an and @Ann", people: [ann] }, { start: 0, query: "an" }, otherAnn);
  expect(textOfDraft(earlier.draft)).toBe("@[Ann](usr_3) and @[Ann](usr_1)");
});
