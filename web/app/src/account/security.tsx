import { useQuery } from "@tanstack/react-query";
import { Laptop, Smartphone } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Session } from "../api/account.ts";
import { changePassword, endOtherSessions, endSession } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { sessionsQuery } from "../api/query.ts";
import { ago } from "../locale/time.ts";
import { useAccountText } from "../text/account.ts";
import { Button } from "../ui/button.tsx";
import { Input, Row } from "../ui/form.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { DeleteAccount } from "./deletion.tsx";
import { browserName } from "./browser.ts";
import { useLocale } from "../locale/locale.ts";

export function SecurityPage() {
  return (
    <>
      <PasswordForm />
      <SessionList />
      <DeleteAccount />
    </>
  );
}

function PasswordForm() {
  const t = useAccountText().security;
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await changePassword({ body: { currentPassword: current, newPassword: next } });
      setCurrent("");
      setNext("");
      notify(t.changed);
    } catch (error) {
      setProblem(Problem.from(error));
    } finally {
      setBusy(false);
    }
  };
  const at = (name: string) => problem?.items.find((item) => item.path === name)?.message;
  const other = problem && !at("currentPassword") && !at("newPassword") ? problem.message : undefined;
  return (
    <Section title={t.passwordTitle}>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-[460px] flex-col gap-4">
        <Row label={t.current} error={at("currentPassword")}>
          {(ref) => (
            <Input
              {...ref}
              type="password"
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Row>
        <Row label={t.next} hint={t.nextHint} error={at("newPassword") ?? other}>
          {(ref) => (
            <Input
              {...ref}
              type="password"
              autoComplete="new-password"
              value={next}
              onChange={(event) => setNext(event.target.value)}
            />
          )}
        </Row>
        <div>
          <Button type="submit" look="primary" busy={busy} disabled={current === "" || next === ""}>
            {t.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function SessionList() {
  const t = useAccountText().security;
  const sessions = useQuery(sessionsQuery);
  const end = (action: Promise<unknown>) => {
    action.then(() => notify(t.ended), complain);
  };
  const others = sessions.data?.some((session) => !session.current) ?? false;
  return (
    <Section
      title={t.sessionsTitle}
      body={t.sessionsBody}
      action={others && <Button onClick={() => end(endOtherSessions())}>{t.endAll}</Button>}
    >
      {sessions.isPending ? (
        <Waiting />
      ) : sessions.isError ? (
        <Failed error={sessions.error} retry={() => void sessions.refetch()} />
      ) : (
        <Rows>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end(endSession({ sessionId: session.id }))} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const t = useAccountText().security;
  const locale = useLocale();
  const Device = /Mobile|Android|iPhone/.test(session.userAgent) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-4 px-4 py-3">
      <Device size={19} className="shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-[560]">
          {browserName(session.userAgent) ?? t.unknown}
          {session.current && (
            <span className="ml-2 rounded-full bg-accent-soft px-2 py-0.5 text-[12px] text-accent-ink">{t.here}</span>
          )}
        </p>
        <p className="truncate text-[13px] text-muted">
          {t.lastSeen(ago(session.lastSeenTime, locale))}
          {session.ip && ` · ${session.ip}`}
        </p>
      </div>
      {!session.current && (
        <Button size="sm" onClick={onEnd}>
          {t.end}
        </Button>
      )}
    </li>
  );
}
