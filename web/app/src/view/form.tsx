import { CircleCheck, PenLine } from "lucide-react";
import { type FormEvent, useState } from "react";
import { updateView } from "../api/change.ts";
import type { Table, View, ViewConfig } from "../api/type.ts";
import { useBase, useRights } from "../access/base.ts";
import { isHidden, type ViewState } from "./state.ts";
import type { EntryViewProps } from "./contract.ts";
import { isWritable } from "../field/value.ts";
import { useDraft } from "../record/draft.ts";
import { RecordForm } from "../record/form.tsx";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Input, Row as FormRow, Switch, Textarea } from "../ui/form.tsx";
import { LeaveQuestion } from "../ui/leave.tsx";
import { Empty } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import { join } from "../ui/class.ts";

/** A form that makes one record at a time and, for those who may change it, its settings next to it. */
export function FormView({ table, view, state, switcher }: EntryViewProps) {
  const text = useText();
  const t = text.view.form;
  const { canShape } = useBase();
  const rights = useRights(table);
  const [editing, setEditing] = useState(false);
  return (
    <>
      <div
        role="toolbar"
        aria-label={text.base.toolbar}
        className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-3"
      >
        {switcher}
        <h2 className="flex-1 text-[14px] max-lg:sr-only">{view.name}</h2>
        <span className="flex-1 lg:hidden" />
        {canShape && (
          <Button
            size="sm"
            icon={<PenLine size={14} aria-hidden />}
            onClick={() => setEditing(!editing)}
            aria-pressed={editing}
          >
            {editing ? t.fill : t.edit}
          </Button>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto bg-canvas px-4 py-8">
        {editing ? (
          <FormSettings key={view.id} table={table} view={view} state={state} onDone={() => setEditing(false)} />
        ) : rights.create ? (
          <Fill key={view.id} table={table} view={view} state={state} />
        ) : (
          <Empty title={text.failure.byStatus[403] ?? ""} body={text.base.readOnlyRole} />
        )}
      </div>
    </>
  );
}

function Fill({ table, view, state }: { table: Table; view: View; state: ViewState }) {
  const t = useText().view.form;
  const config = state.config;
  const [sent, setSent] = useState(false);
  const [written, setWritten] = useState(false); // also what is still being typed
  const fields = state.visible.filter(isWritable);
  const required = new Set([
    ...(config.requiredFields ?? []),
    ...fields.filter((field) => field.config?.required).map((field) => field.id),
  ]);
  const made = () => {
    setSent(true);
    setWritten(false);
  };
  const { failure, busy, submit, changed, ...form } = useDraft({ table, fields, required, onMade: made });
  if (sent) {
    return (
      <div className="mx-auto max-w-[620px] rounded-xl border border-line bg-surface shadow-low">
        <Empty
          icon={<CircleCheck size={22} aria-hidden />}
          title={config.successMessage || t.thanks}
          action={<Button onClick={() => setSent(false)}>{t.again}</Button>}
        />
      </div>
    );
  }
  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      onInput={() => setWritten(true)}
      className="mx-auto max-w-[620px] rounded-xl border border-line bg-surface p-6 shadow-low sm:p-8"
    >
      <LeaveQuestion unsaved={(changed || written) && !busy} />
      <h1 className="text-[22px]">{config.title || view.name}</h1>
      {config.description && <p className="mt-2 whitespace-pre-line text-muted">{config.description}</p>}
      <div className="mt-6">
        <RecordForm fields={fields} required={required} {...form} />
      </div>
      {failure && (
        <p role="alert" className="mt-4 text-danger">
          {failure}
        </p>
      )}
      <Button type="submit" look="primary" size="lg" className="mt-7" busy={busy}>
        {config.submitLabel || t.submit}
      </Button>
    </form>
  );
}

function FormSettings({
  table,
  view,
  state,
  onDone,
}: {
  table: Table;
  view: View;
  state: ViewState;
  onDone: () => void;
}) {
  const text = useText();
  const t = text.view.form;
  const [draft, setDraft] = useState<ViewConfig>(state.config);
  const [busy, setBusy] = useState(false);
  const set = (change: ViewConfig) => setDraft((now) => ({ ...now, ...change }));
  const fields = state.ordered.filter(isWritable);
  const hidden = state.ordered.filter((field) => isHidden(field, draft)).map((field) => field.id);
  const required = draft.requiredFields ?? [];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { title = "", description = "", submitLabel = "", successMessage = "" } = draft;
      const texts = { title, description, submitLabel, successMessage };
      await updateView({
        viewId: view.id,
        body: { config: { ...texts, requiredFields: required, hiddenFields: hidden } },
      });
      notify(t.saved);
      onDone();
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => void save(event)}
      className={join(
        "mx-auto flex max-w-[620px] flex-col gap-5 rounded-xl border",
        "border-line bg-surface p-6 shadow-low sm:p-8",
      )}
    >
      <LeaveQuestion unsaved={draft !== state.config && !busy} />
      <FormRow label={t.title}>
        {(at) => (
          <Input
            {...at}
            maxLength={200}
            placeholder={view.name}
            value={draft.title ?? ""}
            onChange={(event) => set({ title: event.target.value })}
          />
        )}
      </FormRow>
      <FormRow label={t.description}>
        {(at) => (
          <Textarea
            {...at}
            rows={3}
            maxLength={4000}
            value={draft.description ?? ""}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </FormRow>
      <fieldset>
        <legend className="mb-2 text-[13px] font-[560]">{t.fields}</legend>
        <ul className="divide-y divide-line rounded-lg border border-line">
          {fields.map((field) => (
            <li key={field.id} className="flex items-center gap-4 px-3 py-2.5">
              <div className="min-w-0 flex-1">
                <Switch
                  label={field.name}
                  checked={!hidden.includes(field.id)}
                  disabled={field.isPrimary}
                  onChange={(shown) =>
                    set({ hiddenFields: shown ? hidden.filter((id) => id !== field.id) : [...hidden, field.id] })
                  }
                />
              </div>
              <Checkbox
                label={t.required}
                checked={required.includes(field.id) || field.config?.required === true}
                disabled={field.config?.required === true || hidden.includes(field.id)}
                onChange={(on) =>
                  set({ requiredFields: on ? [...required, field.id] : required.filter((id) => id !== field.id) })
                }
              />
            </li>
          ))}
        </ul>
        <p className="sr-only">{table.name}</p>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormRow label={t.submitLabel}>
          {(at) => (
            <Input
              {...at}
              maxLength={80}
              placeholder={t.submit}
              value={draft.submitLabel ?? ""}
              onChange={(event) => set({ submitLabel: event.target.value })}
            />
          )}
        </FormRow>
        <FormRow label={t.successMessage}>
          {(at) => (
            <Input
              {...at}
              maxLength={400}
              placeholder={t.thanks}
              value={draft.successMessage ?? ""}
              onChange={(event) => set({ successMessage: event.target.value })}
            />
          )}
        </FormRow>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {text.action.save}
        </Button>
      </div>
    </form>
  );
}
