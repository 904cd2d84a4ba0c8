import { type FormEvent, useState } from "react";
import { useBase } from "../access/base.ts";
import { createWebhook, updateWebhook } from "../api/change.ts";
import { useIdempotencyKeys } from "../api/idempotency.ts";
import { Problem } from "../api/problem.ts";
import { type ChangeKind, changeKinds, type Filter, type Webhook } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import { FilterPanel } from "../filter/lazy.ts";
import { useText } from "../text/index.ts";
import { useWebhookText } from "../text/webhook.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox, Input, Row, Select } from "../ui/form.tsx";
import { notify } from "../ui/toast.ts";
import { useUnsaved } from "../ui/unsaved.tsx";
import type { Secret } from "./secret.tsx";
import { nameOf } from "./webhook.ts";

type Props = { hook: Webhook | undefined; onClose: () => void; onMade: (secret: Secret) => void };

/** Asks where a webhook sends to and which changes it sends. */
export function WebhookDialog({ hook, onClose, onMade }: Props) {
  const t = useWebhookText();
  return (
    <Dialog
      open
      onClose={onClose}
      title={hook ? t.editTitle(nameOf(hook)) : t.createTitle}
      size="lg"
      keepOnOutsidePress
    >
      <WebhookForm hook={hook} onClose={onClose} onMade={onMade} />
    </Dialog>
  );
}

const starts = ["now", "earliest"] as const;

function WebhookForm({ hook, onClose, onMade }: Props) {
  const text = useText();
  const t = useWebhookText();
  const { base } = useBase();
  const [name, setName] = useState(hook?.name ?? "");
  const [url, setURL] = useState(hook?.url ?? "");
  useUnsaved(name !== (hook?.name ?? "") || url !== (hook?.url ?? ""));
  const [tables, setTables] = useState<string[] | undefined>(ofAll(hook?.tables));
  const [kinds, setKinds] = useState<string[]>(ofAll(hook?.kinds) ?? [...changeKinds]);
  const [fields, setFields] = useState<string[] | undefined>(ofAll(hook?.fields));
  const [filters, setFilters] = useState<Filter[]>(hook?.filters ?? []);
  const [values, setValues] = useState(hook?.includeValues ?? false);
  const [start, setStart] = useState<(typeof starts)[number]>("now");
  const [problem, setProblem] = useState<string>();
  const [urlProblem, setURLProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const idempotency = useIdempotencyKeys();

  const chosen = tables === undefined ? base.tables : base.tables.filter(({ id }) => tables.includes(id));
  const only = tables?.length === 1 ? chosen[0] : undefined;
  // The log of changes holds no computed values to compare.
  const written = only && { ...only, fields: only.fields.filter(({ type }) => !kindOf(type).computed) };
  const offered = chosen.flatMap((table) => table.fields);

  const missing = () => {
    if (tables?.length === 0) return t.noTable;
    if (kinds.length === 0) return t.noKind;
    return fields?.length === 0 ? t.noField : undefined;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const lacks = missing();
    setProblem(lacks);
    setURLProblem(undefined);
    if (lacks !== undefined) return;
    setBusy(true);
    const body = {
      name: name.trim(),
      url: url.trim(),
      tables: tables ?? [],
      kinds: kinds.length === changeKinds.length ? [] : kinds,
      fields: (fields ?? []).filter((id) => offered.some((field) => field.id === id)),
      filters: only ? filters : [],
      includeValues: values,
    };
    try {
      if (hook) {
        await updateWebhook({ baseId: base.id, webhookId: hook.id, body });
        notify(t.saved(body.name || body.url));
        onClose();
      } else {
        const entry = { ...body, cursor: start };
        const idempotencyKey = idempotency.keyFor(entry);
        const made = await createWebhook({ baseId: base.id, body: entry }, { idempotencyKey });
        onMade({ value: made.secret, rotated: false });
      }
    } catch (error) {
      const failure = Problem.from(error);
      const about = failure.items.find(({ path }) => path === "url")?.message;
      setURLProblem(about);
      if (about === undefined) setProblem(failure.message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-[1fr_2fr]">
        <Row label={t.name}>
          {(at) => (
            <Input
              {...at}
              autoComplete="off"
              maxLength={100}
              placeholder={t.namePlaceholder}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Row>
        <Row label={t.url} hint={t.urlHint} error={urlProblem}>
          {(at) => (
            <Input
              {...at}
              type="url"
              required
              autoComplete="off"
              maxLength={2000}
              placeholder="https://example.com/hook"
              value={url}
              onChange={(event) => {
                setURL(event.target.value);
                setURLProblem(undefined);
              }}
            />
          )}
        </Row>
      </div>
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-[560]">{t.kinds}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {changeKinds.map((kind: ChangeKind) => (
            <Checkbox
              key={kind}
              label={t.kind[kind]}
              checked={kinds.includes(kind)}
              onChange={(on) => setKinds(toggled(kinds, kind, on))}
            />
          ))}
        </div>
      </fieldset>
      <Selection
        label={t.tables}
        all={t.allTables}
        some={t.someTables}
        options={base.tables}
        chosen={tables}
        onChange={setTables}
      />
      <Selection
        label={t.fields}
        all={t.allFields}
        some={t.someFields}
        options={chosen.flatMap((table) =>
          table.fields.map(({ id, name: own }) => ({ id, name: chosen.length > 1 ? `${table.name} · ${own}` : own })),
        )}
        chosen={fields}
        onChange={setFields}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-[13px] font-[560]">{t.filter}</legend>
        {written ? (
          <div className="overflow-x-auto rounded-lg border border-line">
            <FilterPanel table={written} filters={filters} onChange={setFilters} />
          </div>
        ) : null}
        <p className="mt-1.5 text-[13px] text-muted">{only ? t.filterHint : t.filterNeedsTable}</p>
      </fieldset>
      <Checkbox label={t.values} hint={t.valuesHint} checked={values} onChange={setValues} />
      {!hook && (
        <Row label={t.start} className="max-w-80">
          {(at) => (
            <Select
              {...at}
              value={start}
              onChange={(event) => setStart(starts.find((one) => one === event.target.value) ?? "now")}
            >
              {starts.map((one) => (
                <option key={one} value={one}>
                  {t.starts[one]}
                </option>
              ))}
            </Select>
          )}
        </Row>
      )}
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={!url.trim()}>
          {hook ? text.action.save : t.create}
        </Button>
      </div>
    </form>
  );
}

/** An empty list of the service means all; here that is undefined. */
const ofAll = (list: string[] | undefined) => (list && list.length > 0 ? list : undefined);

const toggled = (list: string[], id: string, on: boolean) => (on ? [...list, id] : list.filter((one) => one !== id));

type SelectionProps = {
  label: string;
  all: string;
  some: string;
  options: { id: string; name: string }[];
  chosen: string[] | undefined;
  onChange: (chosen: string[] | undefined) => void;
};

/** Chooses all of something, or some by name. */
function Selection({ label, all, some, options, chosen, onChange }: SelectionProps) {
  return (
    <div>
      <Row label={label} className="max-w-80">
        {(at) => (
          <Select
            {...at}
            value={chosen ? "some" : "all"}
            onChange={(event) => onChange(event.target.value === "some" ? [] : undefined)}
          >
            <option value="all">{all}</option>
            <option value="some">{some}</option>
          </Select>
        )}
      </Row>
      {chosen && (
        <div
          role="group"
          aria-label={label}
          className="mt-2 grid max-h-44 gap-2 overflow-y-auto rounded-lg border border-line p-3.5 sm:grid-cols-2"
        >
          {options.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(on) => onChange(toggled(chosen, id, on))}
            />
          ))}
        </div>
      )}
    </div>
  );
}
