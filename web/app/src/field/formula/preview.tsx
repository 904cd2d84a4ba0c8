import { useQuery } from "@tanstack/react-query";
import { useBase } from "../../access/base.ts";
import { pageQuery } from "../../api/query.ts";
import type { Field, FieldType, Table } from "../../api/type.ts";
import { useText } from "../../text/index.ts";
import { useFormulaText } from "../../text/formula.ts";
import { join } from "../../ui/class.ts";
import { type ConfigDraft, formatBy, isEmpty, type KindOf } from "../kind.ts";
import { failureMark, failureOf } from "../failure.ts";
import type { Checked } from "./check.ts";

const records = 5; // whose values the service computes

type Props = {
  table: Table;
  type: FieldType;
  config: ConfigDraft;
  checked: Checked | undefined;
  fresh: boolean;
  kindOf: KindOf;
};

/**
 * The results of a computed field for the first records of the table; faint while they are not the results
 * of the current settings.
 */
export function Preview({ table, type, config, checked, fresh, kindOf }: Props) {
  const text = useText();
  const t = useFormulaText();
  const { people: context } = useBase();
  const rows = useQuery(pageQuery(table.id, { limit: records })).data?.records ?? [];
  const primary = table.fields.find((field) => field.isPrimary);
  const nameOf = (id: string) => {
    const value = primary && rows.find((row) => row.id === id)?.fields[primary.name];
    return (primary && formatBy(kindOf(primary.type), value, primary, context)) || text.base.record.untitled;
  };
  const { dateFormat, timeFormat, timeZone, fieldId, linkFieldId } = config;
  const { precision, thousands, negative, format, symbol } = config;
  const number = { precision, thousands, negative, format, symbol };
  const shown = { dateFormat, timeFormat, timeZone, fieldId, linkFieldId, ...number };
  const draft: Field = {
    id: "",
    name: "",
    type,
    isPrimary: false,
    order: 0,
    config: { ...shown, function: config.function, resultType: checked?.type },
  };
  if (!checked || checked.problems.length > 0) return null;
  const { Card } = kindOf(type);
  return (
    <table
      aria-label={t.preview}
      aria-busy={!fresh}
      className={join("w-full table-fixed border-collapse text-[13px] transition-opacity", !fresh && "opacity-50")}
    >
      <thead>
        <tr className="border-b border-line text-left text-muted">
          <th className="py-1 pr-3 font-[560]">{t.preview}</th>
          <th className="py-1 font-[560]">{t.value}</th>
        </tr>
      </thead>
      <tbody>
        {checked.values.length === 0 && (
          <tr>
            <td colSpan={2} className="py-1 text-muted">
              {t.previewEmpty}
            </td>
          </tr>
        )}
        {checked.values.map(({ recordId, value }) => {
          const failure = failureOf(value);
          return (
            <tr key={recordId} className="border-b border-line align-top last:border-0">
              <td className="truncate py-1 pr-3 text-muted">{nameOf(recordId)}</td>
              <td className="py-1 break-words tabular-nums">
                {failure ? (
                  <span className="text-danger">{`${failureMark}: ${failure.message}`}</span>
                ) : isEmpty(value) ? (
                  <span className="text-faint">{t.noValue}</span>
                ) : (
                  Card && <Card value={value} field={draft} context={context} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
