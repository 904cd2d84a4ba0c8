import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useBase } from "../access/base.ts";
import { setTablePermissions } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { permissionsQuery } from "../api/query.ts";
import type { Schemas, Table } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import { useText } from "../text/index.ts";
import { usePermissionText } from "../text/permission.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox, Select } from "../ui/form.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { notify } from "../ui/toast.ts";
import { useUnsaved } from "../ui/unsaved.tsx";
import { AudiencePicker } from "./audiencepicker.tsx";
import { actions, type Draft, draftOf, fieldOf, type FieldState, type Patch, patchOf } from "./draft.ts";
import { revealedBy, stateOf, states, usualRole, type Who, withState } from "./draft.ts";
import { Losses } from "./loss.tsx";
import { RuleRows } from "./rulerows.tsx";
import { type Subject, useSubjects } from "./subject.ts";

type Props = { table: Table; onClose: () => void };

/** Who may do what with the records and the fields of a table. */
export default function TablePermissionDialog({ table, onClose }: Props) {
  const t = usePermissionText().table;
  const permissions = useQuery(permissionsQuery(table.id));
  return (
    <Dialog open onClose={onClose} title={t.title(table.name)} description={t.body} size="lg" keepOnOutsidePress>
      {permissions.isPending ? (
        <Waiting />
      ) : permissions.isError ? (
        <Failed error={permissions.error} retry={() => void permissions.refetch()} />
      ) : (
        <Editor table={table} before={draftOf(permissions.data)} onClose={onClose} />
      )}
    </Dialog>
  );
}

type Plan = { patch: Patch; answer: Schemas["ChangedOrPlanned"] };

function Editor({ table, before, onClose }: Props & { before: Draft }) {
  const text = useText();
  const t = usePermissionText().table;
  const { orgId } = useBase();
  const subjects = useSubjects(orgId);
  const [draft, setDraft] = useState(before);
  const [plan, setPlan] = useState<Plan>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const patch = patchOf(before, draft);
  useUnsaved(patch !== undefined && !busy);

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      const { message, items } = Problem.from(failure);
      setError([message, ...items.map((item) => item.message)].filter(Boolean).join(" "));
      setPlan(undefined);
    } finally {
      setBusy(false);
    }
  };
  const review = () =>
    attempt(async () => {
      if (!patch) return;
      setPlan({ patch, answer: await setTablePermissions({ tableId: table.id, body: { ...patch, plan: true } }) });
    });
  const save = (made: Plan) =>
    attempt(async () => {
      await setTablePermissions({ tableId: table.id, body: { ...made.patch, apply: made.answer.planToken } });
      notify(t.saved);
      onClose();
    });
  const failure = error && (
    <p role="alert" className="mt-4 text-danger">
      {error}
    </p>
  );
  if (plan) {
    const revealed = table.fields.filter(({ id }) => revealedBy(plan.patch).includes(id)).map(({ name }) => name);
    return (
      <section aria-label={t.reviewTitle}>
        <h3 className="mb-2 font-[560]">{t.reviewTitle}</h3>
        {revealed.length > 0 && <p className="mb-3 rounded-lg bg-sunken px-4 py-3">{t.revealed(revealed)}</p>}
        <Losses losses={plan.answer.losses} none={t.none} />
        {plan.answer.records !== undefined && plan.answer.records > 0 && (
          <p className="mt-2 text-muted">{t.records(plan.answer.records)}</p>
        )}
        {failure}
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={() => setPlan(undefined)}>{t.back}</Button>
          <Button look="primary" busy={busy} onClick={() => void save(plan)}>
            {t.save}
          </Button>
        </div>
      </section>
    );
  }
  return (
    <>
      <ActionRows draft={draft} subjects={subjects} onChange={setDraft} />
      <RuleRows
        table={table}
        rules={draft.rules}
        subjects={subjects}
        onChange={(rules) => setDraft({ ...draft, rules })}
      />
      <FieldRows table={table} draft={draft} subjects={subjects} onChange={setDraft} />
      {failure}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button look="primary" disabled={!patch} busy={busy} onClick={() => void review()}>
          {t.review}
        </Button>
      </div>
    </>
  );
}

type PartProps = { draft: Draft; subjects: readonly Subject[]; onChange: (draft: Draft) => void };

const row = "grid grid-cols-[minmax(0,180px)_minmax(0,1fr)] items-start gap-x-4 gap-y-2 px-4 py-3 max-sm:grid-cols-1";

function ActionRows({ draft, subjects, onChange }: PartProps) {
  const { role, table: t } = usePermissionText();
  return (
    <section aria-label={t.actions}>
      <h3 className="mb-2 font-[560]">{t.actions}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {actions.map((action) => (
          <li key={action} className={row}>
            <div>
              <p className="font-[560]">{t.action[action]}</p>
              <p className="text-[13px] text-muted">{t.actionHint[action]}</p>
            </div>
            <AudiencePicker
              what={t.action[action]}
              who={draft.actions[action]}
              usual={t.usual(role[usualRole[action]])}
              usualRole={usualRole[action]}
              subjects={subjects}
              onChange={(who) => onChange({ ...draft, actions: { ...draft.actions, [action]: who } })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FieldRows({ table, draft, subjects, onChange }: PartProps & { table: Table }) {
  const t = usePermissionText().table;
  return (
    <section aria-label={t.fields} className="mt-6">
      <h3 className="font-[560]">{t.fields}</h3>
      <p className="mt-0.5 mb-2 text-muted">{t.fieldsBody}</p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {table.fields.map((field) => {
          const who = fieldOf(draft, field);
          const state = stateOf(who);
          const set = (next: typeof who) => onChange({ ...draft, fields: { ...draft.fields, [field.id]: next } });
          const Symbol = kindOf(field.type).icon;
          const part = (name: "read" | "edit", label: string, usual?: string) => (
            <div>
              <p className="mb-1 text-[13px] text-muted">{label}</p>
              <AudiencePicker
                what={`${field.name}, ${label}`}
                who={who[name]}
                usual={usual}
                usualRole="editor"
                subjects={subjects}
                onChange={(next: Who) => set({ ...who, [name]: next })}
              />
            </div>
          );
          return (
            <li key={field.id} className={row}>
              <p className="flex min-w-0 items-center gap-2 pt-1">
                <Symbol size={15} className="shrink-0 text-faint" aria-hidden />
                <span className="truncate font-[560]">{field.name}</span>
              </p>
              <div className="flex min-w-0 flex-col gap-2.5">
                <Select
                  aria-label={t.stateOf(field.name)}
                  className="w-36!"
                  value={state}
                  onChange={(event) => set(withState(who, event.target.value as FieldState))}
                >
                  {states.map((one) => (
                    <option key={one} value={one} disabled={one === "hidden" && field.isPrimary}>
                      {t.state[one]}
                    </option>
                  ))}
                </Select>
                {state === "hidden" && part("read", t.exception.hidden)}
                {state !== "edit" && part("edit", t.exception.read, state === "hidden" ? t.whoEdits : undefined)}
                {kindOf(field.type).computed && !field.isPrimary && (
                  <Checkbox
                    aria-label={t.revealOf(field.name)}
                    label={t.reveal}
                    hint={t.revealHint}
                    checked={who.reveal === true}
                    onChange={(reveal) => set({ ...who, reveal })}
                  />
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
