import { useAddOption } from "../addoption.ts";
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
  onCreate?: (name: string) => Promise<void>;
};

/** A choice from a list. One closes the editor; several are chosen until it is closed. */
function PickEditor(props: Props) {
  const { field, value, initial, onChange, onDone, choices, selected, multiple, valueOf, onCreate } = props;
  return (
    <Picker
      label={field.name}
      choices={choices}
      selected={selected}
      multiple={multiple}
      startWith={initial}
      onCreate={onCreate}
      onChange={(ids) => {
        if (multiple) onChange(valueOf(ids));
        else onDone(valueOf(ids), [0, 0]);
      }}
      onDone={(movement) => onDone(value, movement)}
    />
  );
}

const firstOf = ([id]: string[]) => id ?? null;

export function OptionEditor(props: EditorProps) {
  const choices = optionChoices(props.field);
  const selected = listOf(props.value);
  const onCreate = useAddOption(props.field);
  return <PickEditor {...props} {...{ choices, selected, onCreate }} valueOf={firstOf} multiple={false} />;
}

export function OptionsEditor(props: EditorProps) {
  const choices = optionChoices(props.field);
  const onCreate = useAddOption(props.field);
  const selected = listOf(props.value);
  return <PickEditor {...props} {...{ choices, selected, onCreate }} multiple valueOf={(ids) => ids} />;
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
