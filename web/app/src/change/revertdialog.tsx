import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tableOf, useBase } from "../access/base.ts";
import type { ChangeSet, OnConflict, RevertConflict, RevertPlan } from "../api/type.ts";
import { key } from "../api/key.ts";
import { recordQuery } from "../api/query.ts";
import { format } from "../field/value.ts";
import { useLocale } from "../locale/locale.ts";
import { ago } from "../locale/time.ts";
import { drawn } from "../record/drawn.tsx";
import { refreshRows } from "../record/refresh.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { revert as revertChanges } from "./revert.ts";
import { summary } from "./summary.ts";
import type { Question } from "./undo.ts";

export type RevertQuestionProps = { question: Question };

/** Asks whether an undo skips the records that have newer changes, or overwrites them. */
export function RevertQuestion({ question: { way, plan, answer } }: RevertQuestionProps) {
  const text = useText();
  const t = useChangeText().revert;
  return (
    <Dialog
      open
      unasked
      keepOnOutsidePress
      size="md"
      onClose={() => answer(undefined)}
      title={way === "undo" ? t.undo : t.redo}
      description={t.newer(plan.conflictCount)}
      footer={
        <>
          <Button onClick={() => answer(undefined)}>{text.action.cancel}</Button>
          <Button onClick={() => answer("overwrite")}>{t.overwrite}</Button>
          <Button look="primary" onClick={() => answer("skip")}>
            {t.skip}
          </Button>
        </>
      }
    >
      <Conflicts plan={plan} />
    </Dialog>
  );
}

/** Shows what reverting a change set would take back, and reverts it when the person agrees. */
export function RevertDialog({ set, onClose }: { set: ChangeSet; onClose: () => void }) {
  const text = useText();
  const changes = useChangeText();
  const t = changes.revert;
  const { base } = useBase();
  const [busy, setBusy] = useState<OnConflict>();
  const plan = useQuery({
    queryKey: [...key.changes(base.id), "plan", set.id],
    queryFn: () => revertChanges(base.id, { changeSets: [set.id], dryRun: true }),
    gcTime: 0,
  });
  const revert = async (onConflict: OnConflict) => {
    setBusy(onConflict);
    try {
      const done = await revertChanges(base.id, { changeSets: [set.id], onConflict });
      const left = onConflict === "skip" ? done.conflictCount : 0;
      notify(changes.reverted(summary(set, changes)), left > 0 ? changes.skipped(left) : undefined);
      refreshRows();
      onClose();
    } catch (error) {
      complain(error);
      void plan.refetch();
    } finally {
      setBusy(undefined);
    }
  };
  const conflicts = plan.data?.conflictCount ?? 0;
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t.title}
      description={t.body}
      footer={
        <>
          <Button onClick={onClose}>{text.action.cancel}</Button>
          {conflicts > 0 && (
            <Button busy={busy === "overwrite"} disabled={busy !== undefined} onClick={() => void revert("overwrite")}>
              {t.overwrite}
            </Button>
          )}
          <Button
            look="primary"
            busy={busy === "skip" || busy === "fail"}
            disabled={!plan.data || busy !== undefined}
            onClick={() => void revert(conflicts > 0 ? "skip" : "fail")}
          >
            {conflicts > 0 ? t.skip : t.revert}
          </Button>
        </>
      }
    >
      {plan.isPending ? (
        <Waiting label={changes.list.wait} />
      ) : plan.isError ? (
        <Failed error={plan.error} retry={() => void plan.refetch()} />
      ) : (
        <>
          <p>
            {t.will}: <span className="font-[560]">{summary(set, changes)}</span>
          </p>
          <Objects plan={plan.data} />
          {conflicts > 0 && (
            <>
              <p className="mt-3">{t.newer(conflicts)}</p>
              <Conflicts plan={plan.data} />
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

const maxObjects = 20;

/** What happens to tables, fields and views. */
function Objects({ plan: { schema = [] } }: { plan: RevertPlan }) {
  const changes = useChangeText();
  const t = changes.revert;
  if (schema.length === 0) return null;
  const kinds: Record<string, string | undefined> = changes.shaped.kinds;
  const more = schema.length - maxObjects;
  return (
    <ul aria-label={t.objects} className="mt-2 list-disc pl-5 text-[14px]">
      {schema.slice(0, maxObjects).map(({ object, id, name, does }) => (
        <li key={`${id}/${does}`}>{(t.becomesOf[does] ?? t.becomesOf.updated)(kinds[object] ?? object, name)}</li>
      ))}
      {more > 0 && <li className="text-muted">{t.others(more)}</li>}
    </ul>
  );
}

const maxNamed = 20; // records whose names are read

/** The names of the first records of a plan, as far as they are there. */
function useRecordNames(conflicts: readonly RevertConflict[]): (conflict: RevertConflict) => string | undefined {
  const { base, people } = useBase();
  const ids = [...new Set(conflicts.flatMap(({ recordId }) => recordId ?? []))].slice(0, maxNamed);
  const records = useQueries({ queries: ids.map((id) => ({ ...recordQuery(id), retry: false })) });
  return ({ tableId, recordId }) => {
    const row = recordId === undefined ? undefined : records[ids.indexOf(recordId)]?.data;
    const primary = tableOf(base, tableId)?.fields.find((field) => field.isPrimary);
    return row && primary && format(row.fields[primary.name], primary, people);
  };
}

function Conflicts({ plan }: { plan: RevertPlan }) {
  const t = useChangeText().revert;
  const nameOf = useRecordNames(plan.conflicts);
  const more = plan.conflictCount - plan.conflicts.length;
  return (
    <div
      role="region"
      aria-label={t.conflicts}
      // The list scrolls, so it must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="mt-3 max-h-72 overflow-y-auto rounded-lg border border-line"
    >
      <ul className="divide-y divide-line">
        {plan.conflicts.map((conflict) => (
          <Conflict
            key={`${conflict.recordId ?? conflict.objectId}/${conflict.fieldId ?? conflict.property ?? ""}`}
            conflict={conflict}
            name={conflict.recordId === undefined ? conflict.name : nameOf(conflict)}
          />
        ))}
      </ul>
      {more > 0 && <p className="border-t border-line px-3 py-2 text-[13px] text-muted">{t.others(more)}</p>}
    </div>
  );
}

function Conflict({ conflict, name }: { conflict: RevertConflict; name: string | undefined }) {
  const text = useText();
  const changes = useChangeText();
  const t = changes.revert;
  const locale = useLocale();
  const { base, people } = useBase();
  const { by, reason, value, present, objectId, property } = conflict;
  const table = tableOf(base, conflict.tableId);
  const field = table?.fields.find(({ id }) => id === conflict.fieldId);
  const author = people.people.find(({ id }) => id === by?.userId)?.name ?? text.formerMember;
  return (
    <li className="px-3 py-2">
      <p className="truncate">
        <span className="font-[560]">{name || text.base.record.untitled}</span>
        {table && table.id !== objectId && <span className="text-muted"> · {table.name}</span>}
        {property && <span className="text-muted"> · {t.properties[property] ?? t.settings}</span>}
        {field && <span className="text-muted"> · {field.name}</span>}
      </p>
      <p className="text-[13px] text-muted">
        {t.reasons[reason] ?? reason} {by && t.by(author, ago(by.at, locale))}
      </p>
      {field && (
        <dl className="mt-1.5 grid gap-2 text-[14px] sm:grid-cols-2">
          {([[t.now, present], [t.becomes, value]] as const).map(([label, shown]) => (
            <div key={label} className="min-w-0">
              <dt className="text-[12.5px] text-faint">{label}</dt>
              <dd className="max-h-24 overflow-y-auto">
                {drawn(shown, field, people) ?? <span className="text-faint">{changes.record.empty}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
