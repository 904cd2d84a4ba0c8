import { type ComponentType, type FormEvent, useState } from "react";
import { useBase } from "../access/base.ts";
import { createField, updateField } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import type { Body, Field, FieldConfig, FieldType, Option, Table } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Checkbox, Input, Row, Select, Textarea } from "../ui/form.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import { canBecome, configFacts } from "./config/facts.ts";
import { fieldTypes } from "./facts.ts";
import { kindOf } from "./kind/index.ts";
import type { ConditionsProps, ConfigDraft, Group, OptionDraft, SortsProps } from "./kind.ts";
import { keepsValues, Loss, losesValues } from "./loss.tsx";
import { optionTone } from "./option.ts";
import { typeName } from "./value.ts";

const groups: Group[] = ["text", "number", "choice", "date", "relation", "computed", "automatic"];

const wide = "w-[min(640px,calc(100vw-24px))]";

export type FieldFormProps = {
  table: Table;
  field?: Field;
  position?: number;
  /** Edits the conditions of a field that reads linked records. */
  Conditions: ComponentType<ConditionsProps>;
  /** Edits the order in which it reads them. */
  Sorts: ComponentType<SortsProps>;
  onDone: (fieldId: string) => void;
  onCancel: () => void;
  onDelete?: () => void;
};

/** Makes a field, or changes one, including its type. The settings of the type are below it. */
export function FieldForm(props: FieldFormProps) {
  const { table, field, position, Conditions, Sorts, onDone, onCancel, onDelete } = props;
  const text = useText();
  const t = text.field;
  const { base } = useBase();
  const locale = useLocale();
  const [name, setName] = useState(field?.name ?? "");
  const [type, setType] = useState<FieldType>(field?.type ?? "text");
  const [config, setConfig] = useState<ConfigDraft>(() => draftOf(field));
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [written, setWritten] = useState(false);
  useUnsaved(written);
  const kind = kindOf(type);
  const retyped = field !== undefined && type !== field.type;
  const facts = configFacts(type);
  const Config = kind.Config;
  // What was refused, or would have been lost, was another field than the one that is described now.
  const set = (change: ConfigDraft) => {
    setConfig((now) => ({ ...now, ...change }));
    setProblem(undefined);
  };

  const save = async (discard: boolean) => {
    setBusy(true);
    setProblem(undefined);
    const sent = sentConfig(Object.keys(facts.config), config, retyped ? undefined : field);
    // Values bring their options along when none are named.
    if (retyped && sentOptions(config.options ?? []).length === 0) delete sent.options;
    try {
      if (field) {
        const change: Body<"update_field"> = {
          ...(name.trim() === field.name ? {} : { name: name.trim() }),
          ...(retyped ? { type } : {}),
          config: sent,
          ...(discard ? { discard: true } : {}),
        };
        await updateField({ fieldId: field.id, body: change });
        onDone(field.id);
      } else {
        const body: Body<"create_field"> = {
          name: name.trim(),
          type,
          ...(Object.keys(sent).length > 0 ? { config: sent } : {}),
          ...(position === undefined ? {} : { position }),
        };
        const made = await createField({ tableId: table.id, body });
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
    if (name.trim() && !busy && kind.complete?.(config) !== false) void save(false);
  };
  const lossy = field !== undefined && losesValues(problem);
  return (
    <form
      onSubmit={submit}
      // What was chosen is quickly chosen again; what was written is not.
      onInput={(event) => !(event.target instanceof HTMLSelectElement) && setWritten(true)}
      className={join("flex flex-col gap-4 p-4", kind.wide ? wide : "w-[min(340px,calc(100vw-24px))]")}
    >
      {field?.problem && (
        <p role="status" className="rounded-lg bg-danger-soft px-3 py-2.5 text-[13px] text-danger">
          {t.broken(field.problem)}
        </p>
      )}
      <div className={join("grid gap-4", kind.wide && "sm:grid-cols-2")}>
        <Row label={t.name}>
          {(at) => (
            <Input
              {...at}
              // The form is loaded after its popover was opened on purpose.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              autoComplete="off"
              maxLength={200}
              placeholder={t.namePlaceholder}
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(undefined);
              }}
            />
          )}
        </Row>
        <Row label={t.type} hint={retyped ? t.retypeHint : undefined}>
          {(at) => (
            <Select
              {...at}
              disabled={field !== undefined && !fieldTypes.some((one) => one !== field.type && canBecome(field, one))}
              value={type}
              onChange={(event) => {
                const next = event.target.value as FieldType;
                setType(next);
                setProblem(undefined);
                setConfig((now) => configFor(next, field, now));
              }}
            >
              {groups.map((group) => {
                const offered = fieldTypes.filter(
                  (one) => kindOf(one).group === group && (!field || canBecome(field, one)),
                );
                return (
                  offered.length > 0 && (
                    <optgroup key={group} label={t.group[group]}>
                      {offered.map((one) => (
                        <option key={one} value={one}>
                          {typeName(one, locale)}
                        </option>
                      ))}
                    </optgroup>
                  )
                );
              })}
            </Select>
          )}
        </Row>
      </div>
      {Config && (
        <Config
          config={config}
          onChange={set}
          field={field}
          retyped={retyped}
          limits={facts.config}
          tables={base.tables}
          table={table}
          kindOf={kindOf}
          Conditions={Conditions}
          Sorts={Sorts}
        />
      )}
      {"required" in facts.config && (
        <Checkbox checked={config.required === true} onChange={(required) => set({ required })} label={t.required} />
      )}
      {"unique" in facts.config && (
        <Checkbox checked={config.unique === true} onChange={(unique) => set({ unique })} label={t.unique} />
      )}
      <Row label={t.description} hint={t.descriptionHint}>
        {(at) => (
          <Textarea
            {...at}
            rows={2}
            maxLength={2000}
            value={config.description ?? ""}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Row>
      {problem && lossy && <Loss problem={problem} field={field} type={type} />}
      {problem && !lossy && (
        <p role="alert" className="text-[13px] text-danger">
          {problem.message}
        </p>
      )}
      {/* It stays in sight of whatever is long, and scrolls, above it. */}
      <div className="sticky bottom-0 -mx-4 -mt-1 -mb-4 flex flex-wrap justify-end gap-2 bg-surface px-4 pt-1 pb-4">
        {onDelete && (
          <Button look="danger-quiet" className="mr-auto" onClick={onDelete}>
            {text.action.delete}
          </Button>
        )}
        <Button onClick={onCancel}>{text.action.cancel}</Button>
        {lossy ? (
          <Button look="danger" busy={busy} onClick={() => void save(true)}>
            {keepsValues(problem) ? t.saveAnyway : t.discard}
          </Button>
        ) : (
          <Button type="submit" look="primary" busy={busy} disabled={!name.trim() || kind.complete?.(config) === false}>
            {field ? t.save : t.create}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The configuration of a field as it is edited. */
function draftOf(field: Field | undefined): ConfigDraft {
  const { options, ...rest } = field?.config ?? {};
  if (!field || !options) return rest;
  // A colour by the place of an option becomes its own, so that it stays when others are removed.
  return {
    ...rest,
    options: options.map(({ name }) => ({ name, color: optionTone(field, name), key: name, previousName: name })),
  };
}

/**
 * What is kept of a field's configuration, and of the options written so far, when another type is
 * chosen.
 */
function configFor(type: FieldType, field: Field | undefined, now: ConfigDraft): ConfigDraft {
  const { config } = configFacts(type);
  const before = Object.entries({ ...draftOf(field), ...(now.options ? { options: now.options } : {}) });
  // Two types may each mean something else by a format.
  return Object.fromEntries(before.filter(([key]) => key in config && (key !== "format" || type === field?.type)));
}

/**
 * The configuration as it is sent: the keys of the type that were given, and those that are to be
 * cleared as null.
 */
function sentConfig(keys: string[], config: ConfigDraft, field: Field | undefined): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const key of keys as (keyof FieldConfig)[]) {
    if (key === "default" || (key === "linkedTableId" && field)) continue; // neither is changed here
    const value = key === "options" ? sentOptions(config.options ?? []) : config[key];
    const before = field?.config?.[key];
    if (value !== undefined && value !== "" && (value !== false || key === "multiple")) sent[key] = value;
    else if (before !== undefined) sent[key] = null;
  }
  return sent;
}

/**
 * Options as they are sent: without those that have no name, and with the old names of those that
 * were renamed.
 */
function sentOptions(options: OptionDraft[]): Option[] {
  return options
    .map(({ name, color, previousName }) => ({ name: name.trim(), color, previousName }))
    .filter(({ name }) => name !== "")
    .map(({ name, color, previousName }) => ({
      name,
      ...(color ? { color } : {}),
      ...(previousName && previousName !== name ? { previousName } : {}),
    }));
}
