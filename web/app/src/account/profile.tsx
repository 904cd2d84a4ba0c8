import { useQuery } from "@tanstack/react-query";
import { BadgeCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { isLost } from "../api/lost.ts";
import { resendVerification, updateProfile } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { profileQuery } from "../api/query.ts";
import { useAccountText } from "../text/account.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Input, Row } from "../ui/form.tsx";
import { Section } from "../ui/settings.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { EmailDialog } from "./email.tsx";
import { PreferenceForm } from "./preference.tsx";

export function ProfilePage() {
  const profile = useQuery(profileQuery);
  if (profile.isPending) return <Waiting />;
  if (isLost(profile) || !profile.data) return <Failed error={profile.error} retry={() => void profile.refetch()} />;
  return (
    <>
      <ProfileForm key={profile.data.name} {...profile.data} />
      <PreferenceForm {...profile.data} />
    </>
  );
}

type Props = { id: string; name: string; email: string; emailVerified: boolean };

function ProfileForm({ id, name, email, emailVerified }: Props) {
  const text = useText();
  const t = useAccountText().profile;
  const [entry, setEntry] = useState(name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [changing, setChanging] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await updateProfile({ body: { name: entry.trim() } });
      notify(t.saved);
    } catch (failure) {
      setError(Problem.from(failure).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t.title}>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-[460px] flex-col gap-5">
        <Avatar name={name} id={id} size={64} />
        <Row label={t.name} hint={t.nameHint} error={error}>
          {(at) => (
            <Input
              {...at}
              autoComplete="name"
              maxLength={200}
              value={entry}
              onChange={(event) => setEntry(event.target.value)}
            />
          )}
        </Row>
        <Row
          label={t.email}
          hint={
            emailVerified ? (
              <span className="flex items-center gap-1.5">
                <BadgeCheck size={14} className="text-accent" aria-hidden />
                {t.verified}
              </span>
            ) : (
              <span className="flex items-center gap-2">
                {t.unverified}
                <Button
                  size="sm"
                  onClick={() => {
                    resendVerification({ body: {} }).then(() => notify(t.sent), complain);
                  }}
                >
                  {t.resend}
                </Button>
              </span>
            )
          }
        >
          {(at) => (
            <span className="flex items-center gap-2">
              <Input {...at} type="email" readOnly value={email} />
              <Button onClick={() => setChanging(true)}>{t.change}</Button>
            </span>
          )}
        </Row>
        <Row label={t.id}>
          {(at) => (
            <Input
              {...at}
              readOnly
              value={id}
              className="font-mono text-[13px]"
              onFocus={(event) => event.target.select()}
            />
          )}
        </Row>
        <div>
          <Button type="submit" look="primary" busy={busy} disabled={!entry.trim() || entry.trim() === name}>
            {text.action.save}
          </Button>
        </div>
      </form>
      <EmailDialog open={changing} onClose={() => setChanging(false)} />
    </Section>
  );
}
