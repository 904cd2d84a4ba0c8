import { UserRound } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { toneOf } from "../../ui/tone.ts";
import { parseEach } from "../base/choice.tsx";
import { person } from "../base/person.tsx";
import { configPanel } from "../config/index.ts";
import { peopleEditor } from "../editor/index.ts";
import type { FieldKind, StackColumn } from "../kind.ts";
import { peopleOf, userValue } from "../people.ts";

function idsOf(value: unknown): string[] {
  const ids = peopleOf(value, { people: [] }).map(({ id }) => id);
  return ids.length > 0 ? ids : [""];
}

export const user: FieldKind = {
  ...person,
  name: { en: "Person", de: "Person", fr: "Personne" },
  group: "relation",
  icon: UserRound,
  width: 180,
  parse: (entry, field, { people, locale }) => {
    const parsed = parseEach(entry, (name) => {
      const lower = name.toLowerCase();
      const found = people.find(
        (one) => one.id === name || one.name.toLowerCase() === lower || one.email?.toLowerCase() === lower,
      );
      return found ? { value: found.id } : { error: textOf(locale).field.invalid.user(name) };
    });
    return parsed.error === undefined ? { value: userValue(parsed.value ?? [], field) } : parsed;
  },
  cell: { ...person.cell, Editor: peopleEditor },
  Config: configPanel("UserConfig"),
  stack: {
    columns: (field, { people, locale }, values) => {
      const { view } = textOf(locale);
      const known = new Set(people.map(({ id }) => id));
      // Cards of people who have left the organization stay on the board.
      const former = new Set(values.flatMap(idsOf).filter((id) => id !== "" && !known.has(id)));
      const all = [...people, ...[...former].map((id) => ({ id, name: view.formerMember }))];
      return {
        none: { id: "", label: view.uncategorized, tone: "gray", value: null },
        named: all.map(({ id, name }): StackColumn => ({
          id,
          label: name,
          tone: toneOf(id),
          value: userValue([id], field),
        })),
      };
    },
    idsOf,
    move: (field, value, from, to) => {
      if (field.config?.multiple !== true) return to.value;
      // Only the person of the old column is replaced.
      const ids = idsOf(value).map((id) => (id === from ? to.id : id));
      return userValue([...new Set(ids)].filter(Boolean), field);
    },
  },
};
