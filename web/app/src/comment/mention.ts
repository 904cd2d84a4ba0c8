/** A member whom a text mentions. */
export type Mentioned = { id: string; name: string };

/** A part of a text: plain, or the name of a person who is mentioned. */
export type Part = { text: string; person?: string };

// As the service reads it: @[Name](usr_…).
const written = /@\[([^[\]\n]{0,255})\]\((usr_[0-9A-Za-z]{1,60})\)/g;

/** Splits a comment into what is shown. People have their present names. */
export function partsOf(text: string, mentions: readonly { id: string; name?: string | null }[]): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(written)) {
    const [whole, name = "", id] = match;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: `@${mentions.find((one) => one.id === id)?.name ?? name}`, person: id });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** A comment while it is written: mentions are @Name, and `people` says who is meant, in their order. */
export type Draft = { text: string; people: Mentioned[] };

export const emptyDraft: Draft = { text: "", people: [] };

/** The draft with which a comment is edited. */
export function draftOf(text: string, mentions: readonly { id: string; name?: string | null }[]): Draft {
  const parts = partsOf(text, mentions);
  const people = parts.flatMap(({ text: shown, person }) => (person ? [{ id: person, name: shown.slice(1) }] : []));
  return { text: parts.map((part) => part.text).join(""), people };
}

const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The text of a draft as the service takes it. */
export function textOfDraft({ text, people }: Draft): string {
  const names = [...new Set(people.map(({ name }) => name))].filter(Boolean);
  if (names.length === 0) return text.trim();
  // Of two names that begin alike, the longer one is meant.
  const longest = names.toSorted((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(String.raw`@(${longest.join("|")})(?![\p{L}\p{N}])`, "gu");
  const used = new Map<string, number>();
  const mark = (whole: string, name: string) => {
    const same = people.filter((one) => one.name === name);
    const count = used.get(name) ?? 0;
    used.set(name, count + 1);
    const person = same[Math.min(count, same.length - 1)];
    return person ? `@[${name.replaceAll("[", "(").replaceAll("]", ")")}](${person.id})` : whole;
  };
  return text.replace(pattern, mark).trim();
}

/** What is being typed after an @: where the @ stands, and the letters behind it. */
export type Asked = { start: number; query: string };

/** What is asked for at the caret, if it stands behind an @ that begins a word. */
export function askedAt(text: string, caret: number): Asked | undefined {
  const match = /(?:^|[\s([{"'])@([^\s@]*(?: [^\s@]+)?)$/u.exec(text.slice(0, caret));
  const query = match?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
}

const maxOffered = 6;

type Member = Mentioned & { email?: string };

/** The people whose name or address fits what was typed, those first whose name begins so. */
export function fitting(people: readonly Member[], query: string): Member[] {
  const wanted = query.toLocaleLowerCase();
  const rank = ({ name, email }: Member) => {
    const lower = name.toLocaleLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.split(/\s+/).some((word) => word.startsWith(wanted))) return 1;
    return email?.toLocaleLowerCase().startsWith(wanted) ? 2 : 3;
  };
  return people
    .map((person) => ({ person, place: rank(person) }))
    .filter(({ place }) => place < 3)
    .toSorted((a, b) => a.place - b.place || a.person.name.localeCompare(b.person.name))
    .slice(0, maxOffered)
    .map(({ person }) => person);
}

/** The draft with a person in the place of what was asked, and the caret behind it. */
export function withPerson(draft: Draft, asked: Asked, person: Mentioned): { draft: Draft; caret: number } {
  const { start, query } = asked;
  const rest = draft.text.slice(start + 1 + query.length);
  const name = `@${person.name}`;
  const space = /^\s/.test(rest) ? "" : " ";
  // People are mentioned in the order of the text.
  const before = [...draft.text.slice(0, start).matchAll(/@/g)].length;
  const people = draft.people.toSpliced(Math.min(before, draft.people.length), 0, { id: person.id, name: person.name });
  return {
    draft: { text: draft.text.slice(0, start) + name + space + rest, people },
    caret: start + name.length + 1,
  };
}
