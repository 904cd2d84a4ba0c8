import { type FormEvent, useState } from "react";
import { Batch } from "../api/invalidation.ts";
import { inviteMember } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { type Role, roles } from "../api/type.ts";
import { useOrgText } from "../text/org.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Row, Select, Textarea } from "../ui/form.tsx";
import { notify } from "../ui/toast.ts";
import { useUnsaved } from "../ui/unsaved.tsx";

/** The addresses in a text, however they are separated, each once. */
function addresses(entry: string): string[] {
  return [...new Set(entry.split(/[\s,;]+/).filter(Boolean))];
}

type Props = { open: boolean; onClose: () => void; orgId: string; own: Role | undefined };

export function InviteDialog(props: Props) {
  const t = useOrgText();
  return (
    <Dialog open={props.open} onClose={props.onClose} title={t.inviteTitle} keepOnOutsidePress>
      <InviteForm {...props} />
    </Dialog>
  );
}

function InviteForm({ onClose, orgId, own }: Props) {
  const text = useText();
  const t = useOrgText();
  const [entry, setEntry] = useState("");
  useUnsaved(entry !== "");
  const [role, setRole] = useState<Role>("editor");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const list = addresses(entry);
    const wrong = list.find((email) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email));
    if (wrong) return setError(t.invalidEmail(wrong));
    setBusy(true);
    setError(undefined);
    const left = [...list];
    const batch = new Batch();
    try {
      for (const email of list) {
        await inviteMember({ orgId, body: { email, role } }, { batch });
        left.shift();
      }
      notify(t.sent(list.length));
      onClose();
    } catch (failure) {
      setEntry(left.join("\n"));
      setError(`${left[0]}: ${Problem.from(failure).message}`);
    } finally {
      setBusy(false);
      await batch.refresh();
    }
    return undefined;
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Row label={t.emails} hint={t.emailsHint} error={error}>
        {(at) => <Textarea {...at} rows={3} value={entry} onChange={(event) => setEntry(event.target.value)} />}
      </Row>
      <Row label={t.role} hint={t.roleHint[role]}>
        {(at) => (
          <Select {...at} value={role} onChange={(event) => setRole(event.target.value as Role)}>
            {roles
              .filter((one) => one !== "owner" || own === "owner")
              .map((one) => (
                <option key={one} value={one}>
                  {text.shell.role[one]}
                </option>
              ))}
          </Select>
        )}
      </Row>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={addresses(entry).length === 0}>
          {t.send}
        </Button>
      </div>
    </form>
  );
}
