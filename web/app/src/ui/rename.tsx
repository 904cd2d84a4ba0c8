import { type ReactNode, useState } from "react";
import { Problem } from "../api/problem.ts";
import { useText } from "../text/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Input, Row } from "./form.tsx";

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  label: string;
  name?: string;
  placeholder?: string;
  action?: string;
  /** What else is chosen along with the name, below it. */
  children?: ReactNode;
  onSave: (name: string) => Promise<unknown>;
};

/** Asks for one name. A refusal of the service stands below the input. */
export function NameDialog(props: Props) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title}>
      <NameForm {...props} />
    </Dialog>
  );
}

function NameForm({ onClose, label, name = "", placeholder, action, children, onSave }: Props) {
  const text = useText();
  const [value, setValue] = useState(name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={async (event) => {
        event.preventDefault();
        if (!value.trim() || busy) return;
        setBusy(true);
        try {
          await onSave(value.trim());
          onClose();
        } catch (failure) {
          setError(Problem.from(failure).message);
        } finally {
          setBusy(false);
        }
      }}
    >
      <Row label={label} error={error}>
        {(at) => (
          <Input
            {...at}
            autoComplete="off"
            maxLength={200}
            value={value}
            placeholder={placeholder}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Row>
      {children}
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!value.trim()} busy={busy}>
          {action ?? text.action.save}
        </Button>
      </div>
    </form>
  );
}
