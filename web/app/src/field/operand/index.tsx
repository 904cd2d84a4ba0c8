import type { ComponentType } from "react";
import type { Operand } from "../catalogue.ts";
import { optionChoices } from "../option.ts";
import { peopleChoices } from "../people.ts";
import { PickOperand } from "./pick.tsx";
import type { OperandProps } from "./props.ts";
import { RecordsOperand } from "./record.tsx";
import { TimeOperand, TimeRangeOperand } from "./time.tsx";
import { BooleanOperand, ListOperand, NumberOperand, OptionOperand, RangeOperand, TextOperand } from "./typed.tsx";

/** The editor of the operand of a condition, for each operand that the service has. */
export const operandEditors = {
  none: () => null,
  text: TextOperand,
  texts: ListOperand,
  number: NumberOperand,
  numbers: ListOperand,
  number_range: RangeOperand,
  boolean: BooleanOperand,
  time: TimeOperand,
  time_range: TimeRangeOperand,
  option: OptionOperand,
  options: (props) => <PickOperand {...props} choices={optionChoices(props.field)} />,
  users: (props) => <PickOperand {...props} choices={peopleChoices(props.context)} />,
  records: RecordsOperand,
} satisfies Record<Operand, ComponentType<OperandProps>>;

/** The editor of what a condition compares with. */
export function OperandEditor({ operand, ...props }: OperandProps & { operand: Operand }) {
  const Editor = operandEditors[operand];
  return <Editor {...props} />;
}
