import { CircleCheck, Eye, PenLine, Share2 } from "lucide-react";
import { type FormEvent, Suspense, useEffect, useState } from "react";
import type { Table, View } from "../api/type.ts";
import { useBase, useRights } from "../access/base.ts";
import type { ViewState } from "./state.ts";
import type { EntryViewProps } from "./contract.ts";
import { FormEditor } from "./lazy.ts";
import { askedOf, pagesOf, questionsOf } from "./question.ts";
import { useDraft } from "../record/draft.ts";
import { RecordForm } from "../record/form.tsx";
import { useFormText } from "../text/form.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { LeaveQuestion } from "../ui/leave.tsx";
import { Empty } from "../ui/state.tsx";
import { join } from "../ui/class.ts";
import { preloadable } from "../ui/preloadable.tsx";

const ViewShare = preloadable(async () => (await import("./share.tsx")).default, null);

/** A form that makes one record at a time and, for those who may change it, its settings next to it. */
export function FormView({ table, view, state, switcher }: EntryViewProps) {
  const text = useText();
  const t = text.view.form;
  const { canShape, orgId } = useBase();
  const rights = useRights(table);
  const own = useFormText();
  const [editing, setEditing] = useState(false);
  const [sharing, setSharing] = useState(false);
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
        {canShape && view.access !== "personal" && (
          <Button
            size="sm"
            icon={<Eye size={14} aria-hidden />}
            aria-label={own.preview}
            render={<a href={`/share/preview/${orgId}/${view.id}`} target="_blank" rel="noreferrer" />}
          >
            <span className="max-sm:hidden">{own.preview}</span>
          </Button>
        )}
        {canShape && view.access !== "personal" && (
          <Button size="sm" icon={<Share2 size={14} aria-hidden />} onClick={() => setSharing(true)}>
            {own.share.action}
          </Button>
        )}
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
          <FormEditor key={view.id} table={table} view={view} onDone={() => setEditing(false)} />
        ) : rights.create ? (
          <Fill key={view.id} table={table} view={view} state={state} />
        ) : (
          <Empty title={text.failure.byStatus[403] ?? ""} body={text.base.readOnlyRole} />
        )}
      </div>
      <Suspense>{sharing && <ViewShare view={view} onClose={() => setSharing(false)} />}</Suspense>
    </>
  );
}

function Fill({ table, view, state }: { table: Table; view: View; state: ViewState }) {
  const t = useText().view.form;
  const own = useFormText();
  const config = state.config;
  const [sent, setSent] = useState(false);
  const [written, setWritten] = useState(false); // also what is still being typed
  const [opened] = useState(() => Date.now());
  const questions = questionsOf(table.fields, config);
  const required = new Set(questions.filter((one) => one.required).map(({ field }) => field.id));
  const made = () => {
    setSent(true);
    setWritten(false);
    setTurnedTo(0);
  };
  const [turnedTo, setTurnedTo] = useState(0);
  const { failure, busy, submit, check, changed, errors, ...form } = useDraft({
    table,
    fields: questions.map(({ field }) => field),
    among: (values) => askedOf(questions, values).map(({ field }) => field),
    form: view.id,
    required,
    onMade: made,
  });
  const pages = pagesOf(askedOf(questions, form.values));
  const at = Math.min(turnedTo, Math.max(pages.length - 1, 0));
  const shown = pages[at] ?? [];
  const [first] = shown;
  const onPage = (of: typeof shown) => of.some(({ field }) => errors[field.id] !== undefined);
  const wrongPage = onPage(shown) ? -1 : pages.findIndex(onPage);
  useEffect(() => {
    if (wrongPage >= 0) setTurnedTo(wrongPage);
  }, [wrongPage, setTurnedTo]);
  const isLast = at >= pages.length - 1;
  const go = (event: FormEvent<HTMLElement>) => {
    if (isLast) return void submit(event);
    event.preventDefault();
    const here = shown.map(({ field }) => field);
    if (check(event.currentTarget, here)) setTurnedTo(at + 1);
  };
  const sheet = "mx-auto max-w-[620px] rounded-xl border border-line bg-surface shadow-low";
  if (config.closesTime && Date.parse(config.closesTime) <= opened && !changed) {
    return (
      <div className={sheet}>
        <Empty title={config.closedMessage || own.closedDefault} />
      </div>
    );
  }
  if (sent) {
    return (
      <div className={sheet}>
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
      onSubmit={go}
      noValidate
      onInput={() => setWritten(true)}
      className={join(sheet, "p-6 sm:p-8")}
    >
      <LeaveQuestion unsaved={(changed || written) && !busy} />
      <h1 className="text-[22px]">{config.title || view.name}</h1>
      {config.description && <p className="mt-2 whitespace-pre-line text-muted">{config.description}</p>}
      <div className="mt-6">
        {first?.page && (
          <div className="mb-5">
            {first.page.title && <h2 className="text-[17px]">{first.page.title}</h2>}
            {first.page.description && <p className="mt-1 whitespace-pre-line text-muted">{first.page.description}</p>}
          </div>
        )}
        <RecordForm
          {...form}
          errors={errors}
          fields={shown.map(({ field }) => field)}
          required={required}
          wordsOf={(field) => questions.find((one) => one.field === field)}
        />
      </div>
      {failure && (
        <p role="alert" className="mt-4 text-danger">
          {failure}
        </p>
      )}
      <div className="mt-7 flex items-center gap-3">
        {at > 0 && (
          <Button size="lg" onClick={() => setTurnedTo(at - 1)}>
            {own.page.back}
          </Button>
        )}
        <Button type="submit" look="primary" size="lg" busy={busy}>
          {isLast ? config.submitLabel || t.submit : own.page.next}
        </Button>
        {pages.length > 1 && (
          <p role="status" className="text-[13px] text-muted">
            {own.page.place(at + 1, pages.length)}
          </p>
        )}
      </div>
    </form>
  );
}
