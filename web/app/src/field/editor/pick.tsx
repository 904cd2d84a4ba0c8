import type { EditorProps } from "../kind.ts";
import { listOf } from "../list.ts";
import { optionChoices } from "../option.ts";
import { peopleChoices, peopleOf, userValue } from "../people.ts";
import { type Choice, Picker } from "../picker.tsx";

type Props = EditorProps & {
  choices: Choice[];
  selected: string[];
  multiple: boolean;
  /** The value of what is chosen. */
  valueOf: (ids: string[]) => unknown;
};

/** A choice from a list. One closes the editor; several are chosen until it is closed. */
function PickEditor({ field, value, initial, onChange, onDone, choices, selected, multiple, valueOf }: Props) {
  return (
    <Picker
      label={field.name}
      choices={choices}
      selected={selected}
      multiple={multiple}
      startWith={initial}
      onChange={(ids) => {
        if (multiple) onChange(valueOf(ids));
        else onDone(valueOf(ids), [0, 0]);
      }}
      onDone={(movement) => onDone(value, movement)}
    />
  );
}

export function OptionEditor(props: EditorProps) {
  const choices = optionChoices(props.field);
  const selected = listOf(props.value);
  return (
    <PickEditor {...props} choices={choices} selected={selected} multiple={false} valueOf={([id]) => id ?? null} />
  );
}

export function OptionsEditor(props: EditorProps) {
  const choices = optionChoices(props.field);
  return <PickEditor {...props} choices={choices} selected={listOf(props.value)} multiple valueOf={(ids) => ids} />;
}

export function PeopleEditor(props: EditorProps) {
  const { field, value, context } = props;
  return (
    <PickEditor
      {...props}
      choices={peopleChoices(context)}
      selected={peopleOf(value, context).map((person) => person.id)}
      multiple={field.config?.multiple === true}
      valueOf={(ids) => userValue(ids, field)}
    />
  );
}
