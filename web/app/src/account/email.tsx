import { type FormEvent, useState } from "react";
import { changeEmail } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { useAccountText } from "../text/account.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import { notify } from "../ui/toast.ts";
import { useUnsaved } from "../ui/unsaved.tsx";

/** Asks for a new e-mail address, to which a link is sent. */
export function EmailDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useAccountText().profile;
  return (
    <Dialog open={open} onClose={onClose} title={t.changeTitle} keepOnOutsidePress>
      <EmailForm onClose={onClose} />
    </Dialog>
  );
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const text = useText();
  const t = useAccountText().profile;
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useUnsaved(email !== "");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await changeEmail({ body: { email: email.trim(), password } });
      notify(t.linkSent(email.trim()));
      onClose();
    } catch (error) {
      setProblem(Problem.from(error));
    } finally {
      setBusy(false);
    }
  };
  const at = (name: string) => problem?.items.find((item) => item.path === name)?.message;
  const other = problem && !at("email") && !at("password") ? problem.message : undefined;
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Row label={t.newEmail} hint={t.newEmailHint} error={at("email") ?? other}>
        {(ref) => (
          <Input
            {...ref}
            type="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Row>
      <Row label={t.password} error={at("password")}>
        {(ref) => (
          <Input
            {...ref}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Row>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={email.trim() === "" || password === ""}>
          {t.send}
        </Button>
      </div>
    </form>
  );
}
