import { type FormEvent, type ReactNode, useState } from "react";
import { updateView } from "../api/change.ts";
import type { FormField, FormWhen, Table, View, ViewConfig } from "../api/type.ts";
import { useFormText } from "../text/form.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Checkbox, Input, Row, Textarea } from "../ui/form.tsx";
import { LeaveQuestion } from "../ui/leave.tsx";
import { complain, notify } from "../ui/toast.ts";
import { FormQuestions } from "./formquestions.tsx";
import { formOrder } from "./question.ts";
import { isHidden } from "./state.ts";

export type FormEditorProps = { table: Table; view: View; onDone: () => void };

const two = (n: number) => String(n).padStart(2, "0");

/** A moment as a control for local times has it. */
function localTime(time: string | undefined): string {
  if (!time) return "";
  const at = new Date(time);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

const meantWhen = ({ condition, match }: FormWhen): FormWhen => ({
  ...(condition?.length && { condition }),
  ...(condition?.length && match && { match }),
});

/** What the form says of fields, without what says nothing. */
function meant(fields: Record<string, FormField>): Record<string, FormField> {
  const entries = Object.entries(fields).map(([id, one]): [string, FormField] => [
    id,
    {
      ...(one.label?.trim() && { label: one.label.trim() }),
      ...(one.help?.trim() && { help: one.help.trim() }),
      ...(one.urlOnly && { urlOnly: true }),
      ...meantWhen(one),
      ...(one.files && { files: one.files }),
      ...(one.page && {
        page: {
          ...(one.page.title?.trim() && { title: one.page.title.trim() }),
          ...(one.page.description?.trim() && { description: one.page.description.trim() }),
          ...meantWhen(one.page),
        },
      }),
    },
  ]);
  return Object.fromEntries(entries.filter(([, one]) => Object.keys(one).length > 0));
}

/** What a form asks for, what it says, and when it takes answers. */
export function FormEditor({ table, view, onDone }: FormEditorProps) {
  const text = useText();
  const t = text.view.form;
  const own = useFormText();
  const [start] = useState<ViewConfig>(() => ({
    ...view.config,
    fieldOrder: formOrder(table.fields, view.config).map((field) => field.id),
    hiddenFields: table.fields.filter((field) => isHidden(field, view.config)).map((field) => field.id),
  }));
  const [draft, setDraft] = useState(start);
  const [busy, setBusy] = useState(false);
  const set = (change: ViewConfig) => setDraft((now) => ({ ...now, ...change }));
  const words = (key: "title" | "submitLabel" | "successMessage" | "closedMessage" | "redirectUrl", most: number) => ({
    maxLength: most,
    value: draft[key] ?? "",
    onChange: (event: { target: { value: string } }) => set({ [key]: event.target.value }),
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { title = "", description = "", submitLabel = "", successMessage = "", closedMessage = "" } = draft;
      const { redirectUrl = "", closesTime = "", maxAnswers = null, prefill = false, editAnswers = false } = draft;
      const { fieldOrder, hiddenFields, requiredFields = [], formFields = {} } = draft;
      const config = {
        title,
        description,
        submitLabel,
        successMessage,
        closedMessage,
        redirectUrl,
        closesTime,
        maxAnswers,
        prefill,
        editAnswers,
        fieldOrder,
        hiddenFields,
        requiredFields,
        formFields: meant(formFields),
      };
      await updateView({ viewId: view.id, body: { config } });
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
        "mx-auto flex max-w-[680px] flex-col gap-7 rounded-xl border",
        "border-line bg-surface p-6 shadow-low sm:p-8",
      )}
    >
      <LeaveQuestion unsaved={draft !== start && !busy} />
      <div className="flex flex-col gap-4">
        <Row label={t.title}>{(at) => <Input {...at} placeholder={view.name} {...words("title", 200)} />}</Row>
        <Row label={t.description}>
          {(at) => (
            <Textarea
              {...at}
              rows={3}
              maxLength={1000}
              value={draft.description ?? ""}
              onChange={(event) => set({ description: event.target.value })}
            />
          )}
        </Row>
      </div>
      <FormQuestions fields={formOrder(table.fields, draft)} draft={draft} onChange={set} />
      <Part title={own.after}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Row label={t.submitLabel}>
            {(at) => <Input {...at} placeholder={t.submit} {...words("submitLabel", 80)} />}
          </Row>
          <Row label={t.successMessage}>
            {(at) => <Input {...at} placeholder={t.thanks} {...words("successMessage", 1000)} />}
          </Row>
        </div>
        <Row label={own.redirect} hint={own.redirectHint}>
          {(at) => <Input {...at} type="url" placeholder="https://" {...words("redirectUrl", 2000)} />}
        </Row>
      </Part>
      <Part title={own.closing}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Row label={own.closes}>
            {(at) => (
              <Input
                {...at}
                type="datetime-local"
                value={localTime(draft.closesTime)}
                onChange={({ target: { value } }) =>
                  set({ closesTime: value === "" ? "" : new Date(value).toISOString() })
                }
              />
            )}
          </Row>
          <Row label={own.most}>
            {(at) => (
              <Input
                {...at}
                type="number"
                min={1}
                max={1_000_000}
                step={1}
                value={draft.maxAnswers ?? ""}
                onChange={({ target: { value } }) => set({ maxAnswers: value === "" ? null : Number(value) })}
              />
            )}
          </Row>
        </div>
        <Row label={own.closedMessage}>
          {(at) => <Input {...at} placeholder={own.closedDefault} {...words("closedMessage", 1000)} />}
        </Row>
      </Part>
      <Checkbox
        label={own.prefill}
        hint={own.prefillHint}
        checked={draft.prefill === true}
        onChange={(prefill) => set({ prefill })}
      />
      <Checkbox
        label={own.editAnswers}
        hint={own.editAnswersHint}
        checked={draft.editAnswers === true}
        onChange={(editAnswers) => set({ editAnswers })}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {text.action.save}
        </Button>
      </div>
    </form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4 border-t border-line pt-5">
      <h3 className="text-[15px] font-[600]">{title}</h3>
      {children}
    </section>
  );
}
