import { useEffect } from "react";
import type { Field, Filter } from "../../api/type.ts";
import { useFormulaText } from "../../text/formula.ts";
import { useText } from "../../text/index.ts";
import { Row, Select } from "../../ui/form.tsx";
import { PrecisionConfig } from "../config/panel.tsx";
import type { ConfigProps } from "../kind.ts";
import { linkedTable } from "../linked.ts";
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
            onChange({ linkFieldId: event.target.value, fieldId: undefined, function: undefined, filters: undefined })
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

export function LookupConfig(props: ConfigProps) {
  return (
    <>
      <LinkChoice {...props} />
      <SourceChoice {...props} onChoose={({ id }) => props.onChange({ fieldId: id })} />
    </>
  );
}

export function RollupConfig(props: ConfigProps) {
  const { config, onChange, limits } = props;
  const t = useFormulaText();
  const { source } = chosen(props);
  const base = source && baseOf(source);
  const offered = (limits.function?.enum ?? []).filter((name) => base === undefined || takes(name, base));
  const choose = (next: Field) => {
    const to = baseOf(next);
    const keeps = config.function !== undefined && takes(config.function, to);
    onChange({ fieldId: next.id, function: keeps ? config.function : usualFunction(to) });
  };
  const numbers = base === "number" && ["SUM", "AVERAGE", "MIN", "MAX"].includes(config.function ?? "");
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
              value={config.function ?? ""}
              onChange={(event) => onChange({ function: event.target.value })}
            >
              <Choose none={!config.function} label="–" />
              {offered.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Row>
        {numbers && <PrecisionConfig {...props} />}
      </div>
      <OnlySome {...props} />
    </>
  );
}

export function CountConfig(props: ConfigProps) {
  return (
    <>
      <LinkChoice {...props} />
      <OnlySome {...props} />
    </>
  );
}
