import { toneOf } from "../../ui/tone.ts";
import { CardLabels } from "../control/card.tsx";
import { Chooser } from "../control/index.ts";
import type { Context } from "../context.ts";
import type { FieldKind, Label } from "../kind.ts";
import { joinNames } from "../list.ts";
import { peopleChoices, peopleOf, userValue } from "../people.ts";

const namesOf = (value: unknown, context: Context) => peopleOf(value, context).map((person) => person.name);

function labels(value: unknown, context: Context): Label[] {
  return peopleOf(value, context).map(({ id, name }) => ({ id, label: name, tone: toneOf(id) }));
}

/** What kinds whose values are people share. */
export const person = {
  width: 160,
  identity: (value) => peopleOf(value, { people: [] }).map(({ id }) => id),
  family: "person",
  format: (value, _field, context) => namesOf(value, context).join(", "),
  copy: (value, _field, context) => joinNames(namesOf(value, context)),
  accepts: (from, to) => (from.config?.multiple ?? false) === (to.config?.multiple ?? false),
  cell: { draw: (pen, value, _field, context) => pen.labels(labels(value, context)) },
  Control: ({ field, value, context, at, disabled, onChange }) => (
    <Chooser
      label={field.name}
      at={at}
      disabled={disabled}
      multiple={field.config?.multiple === true}
      choices={peopleChoices(context)}
      selected={peopleOf(value, context).map(({ id }) => id)}
      onChange={(ids) => onChange(userValue(ids, field))}
    />
  ),
  Card: ({ value, context }) => <CardLabels labels={labels(value, context)} />,
  csv: {},
} satisfies Partial<FieldKind>;
