import { useText } from "../../text/index.ts";
import { Input } from "../../ui/form.tsx";
import { zoneOf } from "../context.ts";
import { fromLocalInput, toLocalInput } from "../date.ts";
import type { ControlProps } from "../kind.ts";
import { ReadOnlyControl } from "./typed.tsx";

/**
 * A date. The browser returns nothing while a part of it is missing, so the error appears when the
 * control is left.
 */
export function DateControl(props: ControlProps) {
  const { value, at, disabled, onChange, onError } = props;
  const { incompleteDate } = useText().field.invalid;
  if (disabled) return <ReadOnlyControl {...props} />;
  const check = (input: HTMLInputElement) => onError(input.validity.badInput ? incompleteDate : undefined);
  return (
    <Input
      {...at}
      type="date"
      value={typeof value === "string" ? value.slice(0, 10) : ""}
      className="w-48!"
      onChange={(event) => {
        if (event.target.validity.badInput) return;
        onError(undefined);
        onChange(event.target.value || null);
      }}
      onBlur={(event) => check(event.target)}
      onKeyDown={(event) => event.key === "Enter" && check(event.currentTarget)}
    />
  );
}

/** A date and time in the field's zone. It is taken when it is complete and the control is left. */
export function TimestampControl(props: ControlProps) {
  const { field, value, context, at, disabled, onChange, onError } = props;
  const { invalid } = useText().field;
  if (disabled) return <ReadOnlyControl {...props} />;
  const zone = zoneOf(field, context);
  const shown = typeof value === "string" ? toLocalInput(value, zone) : "";
  const take = (input: HTMLInputElement) => {
    if (input.validity.badInput) return onError(invalid.incompleteTimestamp);
    if (input.value === shown) return onError(undefined);
    const next = input.value === "" ? null : fromLocalInput(input.value, zone);
    if (next === undefined) return onError(invalid.datetime(input.value));
    onError(undefined);
    return onChange(next);
  };
  return (
    <Input
      {...at}
      key={shown}
      type="datetime-local"
      defaultValue={shown}
      className="w-64!"
      onBlur={(event) => take(event.target)}
      onKeyDown={(event) => event.key === "Enter" && take(event.currentTarget)}
    />
  );
}
