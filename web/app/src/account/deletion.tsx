import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { OrgFate } from "../api/account.ts";
import { deleteAccount } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { deletionQuery } from "../api/query.ts";
import { useLocale } from "../locale/locale.ts";
import { useAccountText } from "../text/account.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import { Section } from "../ui/settings.tsx";
import { Failed, Waiting } from "../ui/state.tsx";

/** Deletes the person's account, after the password was given. */
export function DeleteAccount() {
  const t = useAccountText().deletion;
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Section title={t.title} body={t.body}>
      <Button look="danger-quiet" className="border border-line-strong" onClick={() => setOpen(true)}>
        {t.delete}
      </Button>
      <Dialog open={open} onClose={close} title={t.ask} keepOnOutsidePress>
        <Question onClose={close} />
      </Dialog>
    </Section>
  );
}

function Question({ onClose }: { onClose: () => void }) {
  const text = useText();
  const t = useAccountText().deletion;
  const locale = useLocale();
  const orgs = useQuery(deletionQuery);
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  if (orgs.isPending) return <Waiting />;
  if (orgs.isError) return <Failed error={orgs.error} retry={() => void orgs.refetch()} />;
  const names = (fate: OrgFate["fate"]) => {
    const of = orgs.data.filter((org) => org.fate === fate).map((org) => text.quoted(org.name));
    return of.length > 0 ? new Intl.ListFormat(locale.language, { type: "conjunction" }).format(of) : "";
  };
  const [kept, deleted, left] = [names("kept"), names("deleted"), names("left")];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await deleteAccount({ body: { password } });
      location.assign("/"); // which leads to the sign-in page now
    } catch (error) {
      setProblem(Problem.from(error));
      setBusy(false);
    }
  };
  const wrong = problem?.items.find((item) => item.path === "password")?.message ?? problem?.message;
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {kept ? (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">{t.kept(kept)}</p>
      ) : (
        <>
          <p className="text-muted">{t.body}</p>
          {deleted && <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">{t.deleted(deleted)}</p>}
          {left && <p className="text-muted">{t.left(left)}</p>}
          <Row label={t.password} error={wrong}>
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
        </>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        {!kept && (
          <Button type="submit" look="danger" busy={busy} disabled={password === ""}>
            {t.delete}
          </Button>
        )}
      </div>
    </form>
  );
}
