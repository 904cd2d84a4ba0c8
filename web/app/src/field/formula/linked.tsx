import { useEffect } from "react";
import type { Field, Filter, Sort } from "../../api/type.ts";
import { useFormulaText } from "../../text/formula.ts";
import { useText } from "../../text/index.ts";
import { Input, Row, Select } from "../../ui/form.tsx";
import { NumberConfig, ThousandsConfig } from "../config/panel.tsx";
import type { ConfigProps } from "../kind.ts";
import { linkedTable } from "../linked.ts";
import { likeOf } from "../result.ts";
import { type Draft, useDraftCheck } from "./check.ts";
import { NumbersConfig } from "./numbers.tsx";
import { Preview } from "./preview.tsx";
import { baseOf, readableFields, takes, usualFunction } from "./source.ts";

/** What a field reads that computes from linked records, as far as it is chosen. */
function chosen({ config, table, tables, field }: ConfigProps) {
  const links = table.fields.filter((one) => one.type === "link" && one.id !== field?.id);
  const link = links.find((one) => one.id === config.linkFieldId);
  const linked = link && tables.find((one) => one.id === linkedTable(link));
  const sources = linked ? readableFields(linked.fields, field) : [];
  return { links, link, linked, sources, source: sources.find((one) => one.id === config.fieldId) };
}

/** Chooses the link through which a field reads. The only one of a table is chosen at once. */
function LinkChoice(props: ConfigProps) {
  const { config, onChange } = props;
  const text = useText();
  const t = useFormulaText();
  const { links, link } = chosen(props);
  const only = links.length === 1 ? links[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined && config.linkFieldId === undefined) onChange({ linkFieldId: only });
  }, [config.linkFieldId, only, onChange]);
  if (links.length === 0) return <p className="rounded-lg bg-sunken px-3 py-2.5 text-[13px] text-muted">{t.noLink}</p>;
  return (
    <Row label={t.link} hint={t.linkHint}>
      {(at) => (
        <Select
          {...at}
          value={link?.id ?? ""}
          // Another table has other fields.
          onChange={(event) =>
            onChange({
              linkFieldId: event.target.value,
              fieldId: undefined,
              function: undefined,
              formula: undefined,
              filters: undefined,
              sorts: undefined,
            })
          }
        >
          <Choose none={!link} label={text.field.choose} />
          {links.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}

function Choose({ none, label }: { none: boolean; label: string }) {
  return none ? (
    <option value="" disabled>
      {label}
    </option>
  ) : null;
}

/** Chooses the field of the linked table whose values are read. */
function SourceChoice(props: ConfigProps & { onChoose: (source: Field) => void }) {
  const text = useText();
  const t = useFormulaText();
  const { linked, sources, source } = chosen(props);
  return (
    <Row label={linked ? t.sourceOf(linked.name) : t.source}>
      {(at) => (
        <Select
          {...at}
          disabled={!linked}
          value={source?.id ?? ""}
          onChange={(event) => {
            const next = sources.find((one) => one.id === event.target.value);
            if (next) props.onChoose(next);
          }}
        >
          <Choose none={!source} label={text.field.choose} />
          {sources.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
    </Row>
  );
}

/** Conditions on the linked records, of which all are read without any. */
function OnlySome(props: ConfigProps) {
  const { config, onChange, Conditions } = props;
  const t = useFormulaText();
  const { linked } = chosen(props);
  if (!linked) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[13px] font-[560]">{t.only}</legend>
      <div className="overflow-x-auto rounded-lg border border-line *:w-full!">
        <Conditions
          key={linked.id}
          table={linked}
          filters={Array.isArray(config.filters) ? (config.filters as Filter[]) : []}
          onChange={(filters) => onChange({ filters: filters.length > 0 ? filters : undefined })}
        />
      </div>
      <p className="mt-1.5 text-[13px] text-muted">{t.onlyHint}</p>
    </fieldset>
  );
}

/** The order in which linked records are read, and how many of them. */
function OrderAndLimit(props: ConfigProps) {
  const { config, onChange, limits, Sorts } = props;
  const t = useFormulaText();
  const { link, linked } = chosen(props);
  if (!linked || link?.config?.multiple === false) return null;
  return (
    <>
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-[13px] font-[560]">{t.order}</legend>
        <div className="overflow-x-auto rounded-lg border border-line *:w-full!">
          <Sorts
            key={linked.id}
            table={linked}
            sorts={Array.isArray(config.sorts) ? (config.sorts as Sort[]) : []}
            none={t.orderOfLink}
            onChange={(sorts) => onChange({ sorts: sorts.length > 0 ? sorts : undefined })}
          />
        </div>
      </fieldset>
      <Row label={t.most} hint={t.mostHint}>
        {(at) => (
          <Input
            {...at}
            type="number"
            min={limits.limit?.minimum}
            max={limits.limit?.maximum}
            value={config.limit ?? ""}
            onChange={({ target: { value } }) => onChange({ limit: value === "" ? undefined : Number(value) })}
          />
        )}
      </Row>
    </>
  );
}

/** The settings that values depend on. */
const sources = ["linkFieldId", "fieldId", "function", "formula", "filters", "sorts", "limit"] as const;

/** What a field computes for the first records, once everything is chosen that it needs. */
function LinkedPreview({ type, ...props }: ConfigProps & { type: "lookup" | "rollup" | "count" }) {
  const { config, field, table, limits, kindOf } = props;
  const given = sources.filter((key) => key in limits && config[key] !== undefined && config[key] !== "");
  const draft: Draft = {
    type,
    ...(field ? { fieldId: field.id } : {}),
    config: Object.fromEntries(given.map((key) => [key, config[key]])),
  };
  const complete = kindOf(type).complete?.(config) !== false;
  const check = useDraftCheck(table.id, complete ? draft : undefined);
  const fresh = JSON.stringify(check.draft) === JSON.stringify(draft);
  if (!complete) return null;
  return check.failure ? (
    <p role="status" className="text-[13px] text-danger">
      {check.failure.message}
    </p>
  ) : (
    <Preview table={table} type={type} config={config} checked={check.answer} fresh={fresh} kindOf={kindOf} />
  );
}

/** Fields whose numbers a lookup can show otherwise than they do. */
const styled = ["number", "currency", "percent"];

export function LookupConfig(props: ConfigProps) {
  const { source } = chosen(props);
  const like = source && likeOf(source);
  const grouped = like?.config?.thousands ?? like?.type === "currency";
  return (
    <>
      <LinkChoice {...props} />
      <SourceChoice {...props} onChoose={({ id }) => props.onChange({ fieldId: id })} />
      {like && styled.includes(like.type) && <NumberConfig {...props} grouped={grouped} />}
      <OnlySome {...props} />
      <OrderAndLimit {...props} />
      <LinkedPreview {...props} type="lookup" />
    </>
  );
}

/** The choice of a formula in place of a function. */
const byFormula = "formula";

export function RollupConfig(props: ConfigProps) {
  const { config, onChange, limits } = props;
  const t = useFormulaText();
  const { source } = chosen(props);
  const base = source && baseOf(source);
  const offered = (limits.function?.enum ?? []).filter((name) => base === undefined || takes(name, base));
  const choose = (next: Field) => {
    const to = baseOf(next);
    if (config.formula !== undefined) return onChange({ fieldId: next.id });
    const keeps = config.function !== undefined && takes(config.function, to);
    onChange({ fieldId: next.id, function: keeps ? config.function : usualFunction(to) });
  };
  const name = config.function ?? "";
  const ofNumbers = base === "number" && ["SUM", "AVERAGE", "MIN", "MAX"].includes(name);
  const counts = ["COUNT", "COUNTA", "COUNTALL"].includes(name);
  const numbers = ofNumbers || counts || (config.formula !== undefined && config.resultType === "number");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <LinkChoice {...props} />
        <SourceChoice {...props} onChoose={choose} />
        <Row label={t.function} hint={t.functionHelp[config.function ?? ""]}>
          {(at) => (
            <Select
              {...at}
              disabled={!source}
              value={config.formula === undefined ? (config.function ?? "") : byFormula}
              onChange={({ target: { value } }) =>
                onChange(
                  value === byFormula
                    ? { function: undefined, formula: `${config.function ?? "ARRAYJOIN"}(values)` }
                    : { function: value, formula: undefined },
                )
              }
            >
              <Choose none={!config.function && config.formula === undefined} label="–" />
              {offered.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
              <option value={byFormula}>{t.byFormula}</option>
            </Select>
          )}
        </Row>
        {config.formula !== undefined && (
          <Row label={t.label} hint={t.valuesHint}>
            {(at) => (
              <Input {...at} value={config.formula} onChange={(event) => onChange({ formula: event.target.value })} />
            )}
          </Row>
        )}
        {numbers && <NumbersConfig {...props} usual={ofNumbers ? t.formatOfSource : (t.formats.number ?? "")} />}
      </div>
      <OnlySome {...props} />
      <LinkedPreview {...props} type="rollup" />
    </>
  );
}

export function CountConfig(props: ConfigProps) {
  return (
    <>
      <LinkChoice {...props} />
      <ThousandsConfig {...props} />
      <OnlySome {...props} />
      <LinkedPreview {...props} type="count" />
    </>
  );
}
