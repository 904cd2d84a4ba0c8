import type { Field } from "../../api/type.ts";
import type { Context } from "../context.ts";
import type { FieldKind, Format } from "../kind.ts";

export type OperandProps = {
  kind: FieldKind;
  field: Field;
  op: string;
  value: unknown;
  context: Context;
  format: Format;
  onChange: (value: unknown) => void;
};
