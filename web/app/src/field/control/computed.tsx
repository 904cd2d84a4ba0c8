import { type KeyboardEvent, useState } from "react";
import { useText } from "../../text/index.ts";
import { join } from "../../ui/class.ts";
import { Input, inputClass, Textarea } from "../../ui/form.tsx";
import { failureMark, failureOf } from "../failure.ts";
import { type ControlProps, formatBy } from "../kind.ts";
import { whyReadOnly } from "../refusal.ts";

/** A computed value. It explains why it cannot be edited when somebody tries. */
export function ComputedControl({ kind, field, value, context, at }: ControlProps) {
  const t = useText().field;
  const [tried, setTried] = useState(false);
  const failure = failureOf(value);
  const shown = formatBy(kind, value, field, context);
  const reason = `${at.id}-reason`;
  const note = failure ? failure.message : tried ? whyReadOnly(field, kind, t).detail : undefined;
  const common = {
    ...at,
    readOnly: true,
    value: shown,
    "aria-describedby": join(at["aria-describedby"], note && reason) || undefined,
    className: failure && "text-danger",
    onPaste: () => setTried(true),
    onKeyDown: ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (!ctrlKey && !metaKey && (key.length === 1 || key === "Backspace" || key === "Delete")) setTried(true);
    },
  };
  const Card = kind.Card;
  return (
    <div className="flex flex-col gap-1">
      {Array.isArray(value) && value.length > 0 && Card ? (
        <output id={at.id} aria-live="off" className={join(inputClass, "block min-h-8.5 bg-sunken! py-1.5")}>
          <Card value={value} field={field} context={context} />
        </output>
      ) : shown.includes("\n") ? (
        <Textarea {...common} rows={Math.min(8, shown.split("\n").length)} />
      ) : (
        <Input {...common} />
      )}
      {note && (
        <p id={reason} role="status" className="text-[13px] text-muted">
          {failure ? `${failureMark}: ${note}` : note}
        </p>
      )}
    </div>
  );
}
