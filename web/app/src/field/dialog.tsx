import { type FormEvent, useState } from "react";
import { patch, post, Problem } from "../api/client.ts";
import type { Answer, Body, Field, FieldConfig, FieldType, Option, Table } from "../api/type.ts";
import { cache } from "../api/query.ts";
import { refreshBase, useOpened } from "../base/context.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Input, Row, Select, Textarea } from "../ui/form.tsx";
import { dateFormats, timeFormats } from "./date.ts";
import { canBecome, type Group, kindOf, kinds } from "./kind.ts";
import { Loss, losesValues } from "./loss.tsx";
import { type OptionDraft, OptionList } from "./optionlist.tsx";

const t = text.field;
const groups: Group[] = ["text", "number", "choice", "date", "relation", "automatic"];
const durationFormats = ["h:mm", "h:mm:ss"];

type Props = { table: Table; field?: Field; position?: number; onDone: (fieldId: string) => void; onCancel: () => void; onDelete?: () => void };

/** Makes a field, or changes one, its type included. What a type can be told is asked for below it. */
export function FieldForm({ table, field, position, onDone, onCancel, onDelete }: Props) {
  const { base } = useOpened();
  const [name, setName] = useState(field?.name ?? "");
  const [type, setType] = useState<FieldType>(field?.type ?? "text");
  const [config, setConfig] = useState<FieldConfig>(field?.config ?? {});
  const [options, setOptions] = useState<OptionDraft[]>(
    (field?.config?.options ?? []).map((option) => ({ key: option.name, name: option.name, color: option.color, previousName: option.name })),
  );
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const kind = kindOf(type);
  const retyped = field !== undefined && type !== field.type;
  const set = (change: FieldConfig) => setConfig((now) => ({ ...now, ...change }));

  const save = async (discard: boolean) => {
    setBusy(true);
    setProblem(undefined);
    const sent = wire(kind.config, config, options, retyped ? undefined : field);
    // Values bring their options along when none are named.
    if (retyped && options.every((option) => option.name.trim() === "")) delete sent.options;
    try {
      if (field) {
        const change: Body<"update_field"> = { ...(name.trim() === field.name ? {} : { name: name.trim() }), ...(retyped ? { type } : {}), config: sent, ...(discard ? { discard: true } : {}) };
        await patch(`/fields/${field.id}`, change);
        await refreshBase(base.id);
        if (retyped) await cache.invalidateQueries({ queryKey: ["record"] });
        onDone(field.id);
      } else {
        const body: Body<"create_field"> = {
          name: name.trim(),
          type,
          ...(Object.keys(sent).length > 0 ? { config: sent } : {}),
          ...(position === undefined ? {} : { position }),
        };
        const made = await post<Answer<"create_field">>(`/tables/${table.id}/fields`, body);
        await refreshBase(base.id);
        onDone(made.id);
      }
    } catch (error) {
      setProblem(Problem.from(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() && !busy) void save(false);
  };
  const lossy = field !== undefined && losesValues(problem);
  return (
    <form onSubmit={submit} className="flex w-[min(340px,calc(100vw-24px))] flex-col gap-4 p-4">
      <Row label={t.name}>
        {(at) => <Input {...at} autoComplete="off" maxLength={200} placeholder={t.namePlaceholder} value={name} onChange={(event) => setName(event.target.value)} />}
      </Row>
      <Row label={t.type} hint={retyped ? t.retypeHint : undefined}>
        {(at) => (
          <Select
            {...at}
            disabled={field !== undefined && !kinds.some((one) => one.type !== field.type && canBecome(field, one.type))}
            value={type}
            onChange={(event) => {
              const next = event.target.value as FieldType;
              setType(next);
              setProblem(undefined);
              // What both types can be told is kept.
              const keys: string[] = ["description", ...kindOf(next).config];
              setConfig(Object.fromEntries(Object.entries(field ? (field.config ?? {}) : {}).filter(([key]) => keys.includes(key) && (next === field?.type || key !== "format"))));
            }}
          >
            {groups.map((group) => {
              const offered = kinds.filter((one) => one.group === group && (!field || canBecome(field, one.type)));
              return (
                offered.length > 0 && (
                  <optgroup key={group} label={t.group[group]}>
                    {offered.map((one) => (
                      <option key={one.type} value={one.type}>
                        {t.kind[one.type]}
                      </option>
                    ))}
                  </optgroup>
                )
              );
            })}
          </Select>
        )}
      </Row>
      {kind.config.includes("linkedTableId") && (
        <Row label={t.linkedTable} hint={field ? undefined : t.linkHint}>
          {(at) => (
            <Select {...at} disabled={field !== undefined} value={config.linkedTableId ?? ""} onChange={(event) => set({ linkedTableId: event.target.value })}>
              <option value="" disabled>
                {t.choose}
              </option>
              {base.tables.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </Select>
          )}
        </Row>
      )}
      {kind.config.includes("options") && <OptionList options={options} onChange={setOptions} hint={retyped && options.length === 0 ? t.optionsFromValues : undefined} />}
      {kind.config.includes("symbol") && (
        <Row label={t.symbol}>{(at) => <Input {...at} maxLength={8} value={config.symbol ?? "$"} onChange={(event) => set({ symbol: event.target.value })} />}</Row>
      )}
      {kind.config.includes("precision") && (
        <Row label={t.precision}>
          {(at) => (
            <Select {...at} value={config.precision ?? ""} onChange={(event) => set({ precision: event.target.value === "" ? undefined : Number(event.target.value) })}>
              <option value="">–</option>
              {[0, 1, 2, 3, 4, 5, 6, 7, 8].map((digits) => (
                <option key={digits} value={digits}>
                  {digits}
                </option>
              ))}
            </Select>
          )}
        </Row>
      )}
      {kind.config.includes("max") && (
        <Row label={t.max}>
          {(at) => (
            <Select {...at} value={config.max ?? 5} onChange={(event) => set({ max: Number(event.target.value) })}>
              {[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((max) => (
                <option key={max}>{max}</option>
              ))}
            </Select>
          )}
        </Row>
      )}
      {kind.config.includes("format") && (
        <Row label={t.format}>
          {(at) => (
            <Select {...at} value={config.format ?? "h:mm"} onChange={(event) => set({ format: event.target.value })}>
              {durationFormats.map((format) => (
                <option key={format}>{format}</option>
              ))}
            </Select>
          )}
        </Row>
      )}
      {kind.config.includes("dateFormat") && (
        <Row label={t.dateFormat}>
          {(at) => (
            <Select {...at} value={config.dateFormat ?? "iso"} onChange={(event) => set({ dateFormat: event.target.value })}>
              {Object.entries(dateFormats).map(([id, format]) => (
                <option key={id} value={id}>
                  {format}
                </option>
              ))}
            </Select>
          )}
        </Row>
      )}
      {kind.config.includes("timeFormat") && (
        <div className="grid grid-cols-2 gap-2">
          <Row label={t.timeFormat}>
            {(at) => (
              <Select {...at} value={config.timeFormat ?? "24h"} onChange={(event) => set({ timeFormat: event.target.value })}>
                {Object.entries(timeFormats).map(([id, format]) => (
                  <option key={id} value={id}>
                    {format}
                  </option>
                ))}
              </Select>
            )}
          </Row>
          <Row label={t.timeZone}>
            {(at) => (
              <Select {...at} value={config.timeZone ?? ""} onChange={(event) => set({ timeZone: event.target.value || undefined })}>
                <option value="">UTC</option>
                {Intl.supportedValuesOf("timeZone").map((zone) => (
                  <option key={zone}>{zone}</option>
                ))}
              </Select>
            )}
          </Row>
        </div>
      )}
      {kind.config.includes("label") && (
        <>
          <Row label={t.label}>{(at) => <Input {...at} maxLength={80} value={config.label ?? ""} onChange={(event) => set({ label: event.target.value })} />}</Row>
          <Row label={t.url} hint={t.urlHint}>
            {(at) => <Input {...at} placeholder="https://" value={config.url ?? ""} onChange={(event) => set({ url: event.target.value })} />}
          </Row>
        </>
      )}
      {kind.config.includes("multiple") && (
        <Checkbox
          checked={config.multiple ?? type === "link"}
          onChange={(multiple) => set({ multiple })}
          label={type === "link" ? t.multiple : t.multipleUsers}
        />
      )}
      {kind.config.includes("required") && <Checkbox checked={config.required === true} onChange={(required) => set({ required })} label={t.required} />}
      {kind.config.includes("unique") && <Checkbox checked={config.unique === true} onChange={(unique) => set({ unique })} label={t.unique} />}
      <Row label={t.description} hint={t.descriptionHint}>
        {(at) => <Textarea {...at} rows={2} maxLength={2000} value={config.description ?? ""} onChange={(event) => set({ description: event.target.value })} />}
      </Row>
      {problem && lossy && <Loss problem={problem} field={field} type={type} />}
      {problem && !lossy && (
        <p role="alert" className="text-[13px] text-danger">
          {problem.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        {onDelete && (
          <Button look="danger-quiet" className="mr-auto" onClick={onDelete}>
            {text.action.delete}
          </Button>
        )}
        <Button onClick={onCancel}>{text.action.cancel}</Button>
        {lossy ? (
          <Button look="danger" busy={busy} onClick={() => void save(true)}>
            {t.discard}
          </Button>
        ) : (
          <Button type="submit" look="primary" busy={busy} disabled={!name.trim() || (type === "link" && !config.linkedTableId)}>
            {field ? t.save : t.create}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The configuration as it is sent: the keys of the type that were given, and those that are to be cleared as null. */
function wire(keys: (keyof FieldConfig)[], config: FieldConfig, options: OptionDraft[], field: Field | undefined): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const key of [...keys, "description"] as const) {
    if (key === "options") {
      sent.options = options
        .filter((option) => option.name.trim() !== "")
        .map((option): Option & { previousName?: string } => ({
          name: option.name.trim(),
          ...(option.color ? { color: option.color } : {}),
          ...(option.previousName && option.previousName !== option.name.trim() ? { previousName: option.previousName } : {}),
        }));
    } else if (key === "linkedTableId" && field) {
      continue;
    } else {
      const value = config[key] === "" || config[key] === false ? undefined : config[key];
      if (key === "multiple") {
        if (config.multiple !== undefined) sent.multiple = config.multiple;
      } else if (value !== undefined) sent[key] = value;
      else if (field?.config?.[key] !== undefined) sent[key] = null;
    }
  }
  return sent;
}
