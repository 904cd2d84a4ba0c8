import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { DatabaseBackup } from "lucide-react";
import { type FormEvent, useState } from "react";
import { deleteBackupSettings, setBackupSettings, startBackups } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { backupSettingsQuery, backupsQuery } from "../api/query.ts";
import type { Backup, BackupSettings } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { ago, moment } from "../locale/time.ts";
import { useParams } from "../route/router.ts";
import { useBackupText } from "../text/backup.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Checkbox, Input, Row } from "../ui/form.tsx";
import { Pages } from "../ui/pages.tsx";
import { Rows, Section } from "../ui/settings.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { useUnsaved } from "../ui/unsaved.tsx";

/** Where the bases of the organization are backed up to, and what came of it. */
export function OrgBackups() {
  const t = useBackupText();
  const locale = useLocale();
  const { orgId } = useParams("/org/$orgId/backups");
  const settings = useQuery(backupSettingsQuery(orgId));
  if (settings.isPending) return <Waiting />;
  if (settings.isError) return <Failed error={settings.error} retry={() => void settings.refetch()} />;
  const known = settings.data.settings;
  return (
    <>
      <Section title={t.title} body={t.body}>
        <p className="mb-4 font-[560]">{known?.nextAt ? t.next(moment(known.nextAt, locale)) : t.off}</p>
        <SettingsForm key={known?.changedAt ?? ""} orgId={orgId} known={known ?? undefined} />
      </Section>
      <Runs orgId={orgId} on={known !== null} />
    </>
  );
}

type FormProps = { orgId: string; known: BackupSettings | undefined };

const texts = ["endpoint", "region", "bucket", "prefix", "accessKey", "secretKey", "keepDays", "recipient"] as const;
type FieldProps = { hint?: string; placeholder?: string; type?: string; needed?: boolean };
type Written = Record<(typeof texts)[number], string>;

function SettingsForm({ orgId, known }: FormProps) {
  const t = useBackupText();
  const before: Written = {
    endpoint: known?.endpoint ?? "",
    region: known?.region ?? "",
    bucket: known?.bucket ?? "",
    prefix: known?.prefix ?? "",
    accessKey: known?.accessKey ?? "",
    secretKey: "",
    keepDays: String(known?.keepDays ?? 30),
    recipient: known?.recipient ?? "",
  };
  const [written, setWritten] = useState(before);
  const [attachments, setAttachments] = useState(known?.attachments ?? true);
  const [busy, setBusy] = useState<"test" | "save">();
  const [error, setError] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  useUnsaved(texts.some((name) => written[name] !== before[name]));

  const send = async (dryRun: boolean) => {
    setBusy(dryRun ? "test" : "save");
    setError(undefined);
    const { keepDays, secretKey, ...rest } = written;
    const body = { ...rest, secretKey: secretKey || undefined, keepDays: Number(keepDays), attachments, dryRun };
    try {
      await setBackupSettings({ orgId, body });
      notify(dryRun ? t.tested : t.saved);
    } catch (failure) {
      setError(Problem.from(failure).message);
    } finally {
      setBusy(undefined);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(false);
  };
  const field = (name: keyof Written, more: FieldProps) => (
    <Row label={t[name]} hint={more.hint}>
      {(at) => (
        <Input
          {...at}
          type={more.type ?? "text"}
          required={more.needed}
          placeholder={more.placeholder}
          autoComplete="off"
          spellCheck={false}
          min={name === "keepDays" ? 1 : undefined}
          max={name === "keepDays" ? 3650 : undefined}
          value={written[name]}
          onChange={(event) => setWritten({ ...written, [name]: event.target.value })}
        />
      )}
    </Row>
  );
  return (
    <form onSubmit={submit} className="flex max-w-[460px] flex-col gap-5">
      {field("endpoint", {
        hint: t.endpointHint,
        placeholder: "https://s3.eu-central-1.amazonaws.com",
        type: "url",
        needed: true,
      })}
      {field("region", { hint: t.regionHint })}
      {field("bucket", { needed: true })}
      {field("prefix", {})}
      {field("accessKey", { needed: true })}
      {field("secretKey", {
        hint: known ? t.secretKept : t.secretHint,
        type: "password",
        needed: !known,
      })}
      {field("keepDays", { hint: t.keepHint, type: "number", needed: true })}
      {field("recipient", { hint: t.recipientHint })}
      <Checkbox label={t.attachments} checked={attachments} onChange={setAttachments} />
      {error !== undefined && (
        <p role="alert" className="break-words text-danger">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy === "save"} disabled={busy !== undefined}>
          {t.save}
        </Button>
        <Button busy={busy === "test"} disabled={busy !== undefined} onClick={() => void send(true)}>
          {t.test}
        </Button>
        {known && (
          <Button look="danger-quiet" onClick={() => setLeaving(true)}>
            {t.switchOff}
          </Button>
        )}
      </div>
      <Confirm
        open={leaving}
        onClose={() => setLeaving(false)}
        title={t.switchOffTitle}
        body={t.switchOffBody}
        action={t.switchOff}
        onConfirm={async () => {
          try {
            await deleteBackupSettings({ orgId });
          } catch (failure) {
            complain(failure);
            throw failure;
          }
          notify(t.switchedOff);
        }}
      />
    </form>
  );
}

function Runs({ orgId, on }: { orgId: string; on: boolean }) {
  const t = useBackupText();
  const list = useInfiniteQuery(backupsQuery(orgId));
  const [busy, setBusy] = useState(false);
  const runs = list.data?.pages.flatMap((page) => page.backups) ?? [];
  const start = async () => {
    setBusy(true);
    try {
      const { backups } = await startBackups({ orgId, body: {} });
      notify(t.begun(backups));
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title={t.runs}
      body={t.runsBody}
      action={
        on && (
          <Button busy={busy} icon={<DatabaseBackup size={16} aria-hidden />} onClick={() => void start()}>
            {t.now}
          </Button>
        )
      }
    >
      <Pages
        list={list}
        empty={runs.length === 0 && <Empty icon={<DatabaseBackup size={22} aria-hidden />} title={t.empty} />}
      >
        <Rows>
          {runs.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </Rows>
      </Pages>
    </Section>
  );
}

const look: Record<string, string | undefined> = {
  running: "bg-warn-soft text-warn",
  ok: "bg-accent-soft text-accent-ink",
  failed: "bg-danger-soft text-danger",
};

function Run({ run }: { run: Backup }) {
  const t = useBackupText();
  const locale = useLocale();
  const facts = [
    run.state === "ok" && t.counts(run.tables, run.records, run.files),
    run.encrypted && t.encrypted,
    run.state !== "running" && run.bytes > 0 && !run.inBucket && t.deleted,
  ].filter(Boolean);
  return (
    <li className="px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <span className={join("rounded px-1.5 py-px text-[12.5px]", look[run.state])}>{t.states[run.state]}</span>
        <span className="font-[560]">{run.base.name}</span>
        <time dateTime={run.startedAt} title={moment(run.startedAt, locale)} className="text-muted">
          {ago(run.startedAt, locale)}
        </time>
      </p>
      {facts.length > 0 && <p className="mt-0.5 text-[13px] text-muted">{facts.join(" · ")}</p>}
      {run.message !== undefined && <p className="mt-0.5 text-[13px] break-words whitespace-pre-line">{run.message}</p>}
      <p className="truncate font-mono text-[12px] text-faint" title={`${run.store}/${run.object}`}>
        {run.object}
      </p>
    </li>
  );
}
