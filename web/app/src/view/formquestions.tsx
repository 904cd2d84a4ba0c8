import { ChevronDown, GripVertical, Plus } from "lucide-react";
import { Fragment, type KeyboardEvent, useId, useState } from "react";
import type { Field, FormField, FormPage, ViewConfig } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import { useFormText } from "../text/form.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Checkbox, Input, Row, Textarea } from "../ui/form.tsx";
import { comparable, FormConditions } from "./formconditions.tsx";
import { FormFileSettings } from "./formfiles.tsx";
import { FormPageHead } from "./formpage.tsx";
import { isPublic } from "./question.ts";

type Props = { fields: Field[]; draft: ViewConfig; onChange: (change: ViewConfig) => void };

/** The questions of a form in their order, and the fields that it could ask for. */
export function FormQuestions({ fields, draft, onChange }: Props) {
  const t = useFormText();
  const [open, setOpen] = useState<string>();
  const [dragged, setDragged] = useState<string>();
  const [said, setSaid] = useState("");
  const hidden = draft.hiddenFields ?? [];
  const shown = fields.filter((field) => field.isPrimary || !hidden.includes(field.id));
  const absent = fields.filter((field) => !shown.includes(field));
  const settings = draft.formFields ?? {};
  // Pages stay where they are when a question moves across their heads.
  const entries = shown.flatMap((field): (string | FormPage)[] => {
    const page = settings[field.id]?.page;
    return page ? [page, field.id] : [field.id];
  });
  const moveTo = (id: string, to: number) => {
    const rest = entries.filter((one) => one !== id);
    if (to < 0 || to > rest.length) return;
    rest.splice(to, 0, id);
    const ids = rest.filter((one) => typeof one === "string");
    onChange({
      fieldOrder: [...ids, ...absent.map((field) => field.id)],
      formFields: withPages(settings, rest),
    });
    const name = shown.find((field) => field.id === id)?.name ?? "";
    setSaid(t.moved(name, ids.indexOf(id) + 1, shown.length));
  };
  const setPage = (id: string, page: FormPage | undefined) =>
    onChange({ formFields: { ...settings, [id]: { ...settings[id], page } } });
  const takeOff = (id: string) =>
    onChange({
      hiddenFields: [...hidden, id],
      formFields: withPages(settings, entries.filter((one) => one !== id)),
    });
  const pageOf = (at: number) => shown.slice(0, at + 1).filter(({ id }, i) => i === 0 || settings[id]?.page).length;
  return (
    <section aria-label={t.questions} className="flex flex-col gap-2">
      <h3 className="text-[15px] font-[600]">{t.questions}</h3>
      <p className="mb-1 text-[13px] text-muted">{t.questionsHint}</p>
      <p role="status" className="sr-only">
        {said}
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {shown.map((field, at) => (
          <Fragment key={field.id}>
            {settings[field.id]?.page && (
              <FormPageHead
                page={settings[field.id]?.page ?? {}}
                place={pageOf(at)}
                earlier={shown.slice(0, at).filter(comparable)}
                open={open === `page ${field.id}`}
                onOpen={() => setOpen(open === `page ${field.id}` ? undefined : `page ${field.id}`)}
                onChange={(page) => setPage(field.id, page)}
              />
            )}
            <Question
              field={field}
              earlier={shown.slice(0, at).filter(comparable)}
              draft={draft}
              open={open === field.id}
              dragged={dragged === field.id}
              onOpen={() => setOpen(open === field.id ? undefined : field.id)}
              onChange={onChange}
              onPage={() => {
                setPage(field.id, {});
                setOpen(`page ${field.id}`);
              }}
              onRemove={() => takeOff(field.id)}
              onMove={(step) => moveTo(field.id, entries.indexOf(field.id) + step)}
              onDrag={setDragged}
              onOver={() =>
                dragged !== undefined && dragged !== field.id && moveTo(dragged, entries.indexOf(field.id))
              }
            />
          </Fragment>
        ))}
      </ul>
      {absent.length > 0 && (
        <div className="mt-2 flex flex-wrap items-center gap-1.5">
          <h4 className="mr-1 text-[13px] text-muted">{t.absent}</h4>
          {absent.map((field) => (
            <Button
              key={field.id}
              size="sm"
              aria-label={t.add(field.name)}
              icon={<Plus size={13} aria-hidden />}
              onClick={() => {
                onChange({
                  hiddenFields: hidden.filter((id) => id !== field.id),
                  fieldOrder: [...shown, field, ...absent.filter((one) => one !== field)].map((one) => one.id),
                });
                setOpen(field.id);
              }}
            >
              <span className="max-w-44 truncate">{field.name}</span>
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

/** What a form says of fields, with the pages where a list of pages and fields has them. */
function withPages(settings: Record<string, FormField>, entries: (string | FormPage)[]): Record<string, FormField> {
  const next: Record<string, FormField> = Object.fromEntries(
    Object.entries(settings).map(([id, one]) => [id, { ...one, page: undefined }]),
  );
  let page: FormPage | undefined;
  for (const entry of entries) {
    if (typeof entry !== "string") page = entry;
    else if (page) {
      next[entry] = { ...next[entry], page };
      page = undefined;
    }
  }
  return next;
}

type QuestionProps = {
  field: Field;
  /** The fields before it whose answers it may depend on. */
  earlier: Field[];
  draft: ViewConfig;
  open: boolean;
  dragged: boolean;
  onOpen: () => void;
  onChange: (change: ViewConfig) => void;
  /** Begins a page with the question. */
  onPage: () => void;
  onRemove: () => void;
  onMove: (step: -1 | 1) => void;
  onDrag: (id: string | undefined) => void;
  onOver: () => void;
};

function Question(props: QuestionProps) {
  const { field, earlier, draft, open, dragged, onOpen, onChange, onPage, onRemove, onMove, onDrag, onOver } = props;
  const t = useFormText();
  const id = useId();
  const Symbol = kindOf(field.type).icon;
  const own = draft.formFields?.[field.id] ?? {};
  const required = draft.requiredFields ?? [];
  const always = field.config?.required === true;
  const set = (change: FormField) =>
    onChange({ formFields: { ...draft.formFields, [field.id]: { ...own, ...change } } });
  const marks = [
    !isPublic(field) && t.marks.members,
    own.urlOnly && t.marks.urlOnly,
    (always || required.includes(field.id)) && t.marks.required,
    !always && own.condition?.length && t.marks.condition,
  ].filter((mark) => typeof mark === "string");
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
    if (step === undefined) return;
    event.preventDefault();
    onMove(step);
  };
  return (
    // Dragging is a second way; the handle moves the question by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={join("bg-surface first:rounded-t-lg last:rounded-b-lg", dragged && "opacity-50")}
      onDragOver={(event) => {
        event.preventDefault();
        onOver();
      }}
      onDrop={(event) => event.preventDefault()}
    >
      <div className="flex items-center gap-1.5 py-1.5 pr-2 pl-1.5">
        <span
          draggable
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = "move";
            event.dataTransfer.setData("text/plain", field.name);
            onDrag(field.id);
          }}
          onDragEnd={() => onDrag(undefined)}
          className="cursor-grab"
        >
          <IconButton size="sm" label={t.move(field.name)} onKeyDown={press}>
            <GripVertical size={15} aria-hidden />
          </IconButton>
        </span>
        <Symbol size={15} className="shrink-0 text-faint" aria-hidden />
        <button
          type="button"
          aria-expanded={open}
          aria-controls={`${id}-settings`}
          onClick={onOpen}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-md py-1.5 pr-1 pl-1 text-left hover:bg-hover"
        >
          <span className="flex min-w-0 flex-1 items-baseline gap-2">
            <span className="min-w-0 truncate font-[520]">{own.label || field.name}</span>
            {own.label && <span className="min-w-0 shrink-[4] truncate text-[13px] text-faint">{field.name}</span>}
          </span>
          <span className="shrink-0 text-[13px] text-muted max-sm:hidden">{marks.join(" · ")}</span>
          <ChevronDown
            size={15}
            className={join("shrink-0 text-faint transition-transform", open && "rotate-180")}
            aria-hidden
          />
        </button>
      </div>
      {open && (
        <div id={`${id}-settings`} className="flex flex-col gap-4 px-4 pt-1.5 pb-5 sm:pl-16">
          {!isPublic(field) && <p className="text-[13px] text-muted">{t.notPublic}</p>}
          <Row label={t.label}>
            {(at) => (
              <Input
                {...at}
                maxLength={300}
                placeholder={field.name}
                value={own.label ?? ""}
                onChange={(event) => set({ label: event.target.value })}
              />
            )}
          </Row>
          <Row label={t.help}>
            {(at) => (
              <Textarea
                {...at}
                rows={2}
                maxLength={300}
                value={own.help ?? ""}
                onChange={(event) => set({ help: event.target.value })}
              />
            )}
          </Row>
          <Checkbox
            label={t.required}
            hint={always ? t.always : undefined}
            checked={always || required.includes(field.id)}
            disabled={always}
            onChange={(on) =>
              onChange({ requiredFields: on ? [...required, field.id] : required.filter((one) => one !== field.id) })
            }
          />
          {field.type !== "attachment" && (
            <Checkbox
              label={t.urlOnly}
              hint={own.urlOnly ? t.urlOnlyHint(field.name) : undefined}
              checked={own.urlOnly === true}
              onChange={(urlOnly) => set({ urlOnly })}
            />
          )}
          {field.type === "attachment" && <FormFileSettings files={own.files} onChange={(files) => set({ files })} />}
          {!always && (earlier.length > 0 || (own.condition?.length ?? 0) > 0) && (
            <FormConditions title={t.when} fields={earlier} when={own} onChange={set} />
          )}
          <div className="-ml-2.5 flex flex-wrap gap-1">
            {!own.page && (
              <Button size="sm" look="quiet" onClick={onPage}>
                {t.page.begin}
              </Button>
            )}
            {!field.isPrimary && (
              <Button size="sm" look="quiet" onClick={onRemove}>
                {t.remove}
              </Button>
            )}
          </div>
        </div>
      )}
    </li>
  );
}
