import type { Field } from "../../api/type.ts";
import type { Context } from "../context.ts";
import type { FieldKind, Format } from "../kind.ts";

export type OperandProps = {
  kind: FieldKind;
  field: Field;
  op: string;
  value: unknown;
  /** The condition must not depend on the day on which it is read. */
  lasting?: boolean;
  context: Context;
  format: Format;
  onChange: (value: unknown) => void;
};
