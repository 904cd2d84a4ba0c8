import { TriangleAlert } from "lucide-react";
import { useMemo, useState } from "react";
import type { FieldType, Table } from "../api/type.ts";
import { fieldTypes } from "../field/facts.ts";
import { numberExample } from "../field/format.ts";
import { kindOf } from "../field/kind/index.ts";
import { type ColumnStyle, commaStyle, type NumberStyle, pointStyle, readNumber } from "../field/number.ts";
import { typeName } from "../field/value.ts";
import { useLocale } from "../locale/locale.ts";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Input, Row, Select } from "../ui/form.tsx";
import { bare, type Column, readsNumbers, targetOf, writable } from "./plan.ts";
import { encodings, type Reading } from "./read.ts";
import type { Sheet } from "./sheet.ts";

const makeable = fieldTypes.filter((type) => kindOf(type).csv?.offered);

const valueOf = (column: Column) =>
  column.to === "skip" ? "skip" : column.to === "new" ? `new:${column.type}` : `field:${column.fieldId}`;

type Props = {
  table?: Table;
  name: string;
  sheet: Sheet;
  columns: Column[];
  /**
   * What the columns themselves tell of their numbers, and the style in which each is read; none
   * while it must be chosen.
   */
  found: ColumnStyle[];
  styles: (NumberStyle | undefined)[];
  mayAdd: boolean;
  onRead: (reading: Reading) => void;
  onChange: (columns: Column[]) => void;
  onStyle: (index: number, style: NumberStyle) => void;
  onCancel: () => void;
  onStart: (tableName: string) => void;
};

/**
 * Shows how the file was read and each column with its first values, and asks which field it goes
 * to.
 */
export function Mapping({
  table,
  name,
  sheet,
  columns,
  found,
  styles,
  mayAdd,
  onRead,
  onChange,
  onStyle,
  onCancel,
  onStart,
}: Props) {
  const text = useText();
  const t = useCsvText();
  const locale = useLocale();
  const [tableName, setTableName] = useState(name);
  const { rows, header } = sheet;
  const cells = useMemo(() => rows.map((row) => row.cells), [rows]);
  const replace = (index: number, next: Column) =>
    onChange(columns.map((column, at) => (at === index ? next : column)));
  const used = new Set(columns.flatMap((column) => (column.to === "field" ? [column.fieldId] : [])));
  const some = columns.some((column) => column.to !== "skip");
  const targets = columns.map((column, index) => targetOf(column, index, table?.fields ?? [], cells.slice(0, 1)));
  const undecided = targets.some((field, index) => readsNumbers(field) && !styles[index]);
  return (
    <div className="flex flex-col gap-4">
      {table ? (
        <p className="text-muted">
          {t.target} <strong className="text-ink">{table.name}</strong> · {t.rows(rows.length)}
        </p>
      ) : (
        <Row label={text.base.tableName} hint={t.rows(rows.length)}>
          {(at) => (
            <Input {...at} maxLength={200} value={tableName} onChange={(event) => setTableName(event.target.value)} />
          )}
        </Row>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2.5">
        <label className="flex items-center gap-2.5 text-[13px] font-[560]">
          {t.encoding}
          <Select
            className="w-52! font-[400]"
            value={sheet.encoding}
            onChange={(event) => onRead({ encoding: event.target.value, hasHeader: sheet.hasHeader })}
          >
            {encodings.map((one) => (
              <option key={one} value={one}>
                {t.encodings[one]}
              </option>
            ))}
          </Select>
        </label>
        <Checkbox
          label={t.header}
          checked={sheet.hasHeader}
          onChange={(hasHeader) => onRead({ encoding: sheet.encoding, hasHeader })}
        />
      </div>
      {sheet.unreadable > 0 && <Warning>{t.undecodable(sheet.unreadable)}</Warning>}
      {rows.length === 0 && <Warning>{t.noRows}</Warning>}
      <div className="max-h-[46vh] overflow-auto rounded-lg border border-line">
        <table className="w-full text-[13.5px]">
          <caption className="sr-only">{t.mapTitle}</caption>
          <thead className="sticky top-0 bg-canvas text-left text-[12.5px] text-muted">
            <tr>
              <th className="px-3 py-2 font-[560]">{t.column}</th>
              <th className="px-3 py-2 font-[560] max-sm:hidden">{t.sample}</th>
              <th className="px-3 py-2 font-[560]">{t.field}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column, index) => (
              // Columns of a file have no identity but their place.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index} className="border-t border-line">
                <td className="max-w-44 truncate px-3 py-2 font-[560]">{header[index] || column.name}</td>
                <td className="max-w-60 truncate px-3 py-2 text-muted max-sm:hidden">
                  {rows
                    .slice(0, 20)
                    .map((row) => row.cells[index])
                    .filter(Boolean)
                    .slice(0, 3)
                    .join(" · ")}
                </td>
                <td className="w-64 px-3 py-1.5">
                  <Select
                    aria-label={`${t.field}: ${column.name}`}
                    value={valueOf(column)}
                    onChange={(event) => {
                      const [to, rest = ""] = event.target.value.split(":", 2);
                      replace(
                        index,
                        to === "field"
                          ? { name: column.name, to, fieldId: rest }
                          : to === "new"
                            ? { name: column.name, to, type: rest as FieldType }
                            : { name: column.name, to: "skip" },
                      );
                    }}
                  >
                    <option value="skip">{t.skip}</option>
                    {table && (
                      <optgroup label={table.name}>
                        {table.fields.filter(writable).map((field) => (
                          <option
                            key={field.id}
                            value={`field:${field.id}`}
                            disabled={used.has(field.id) && !(column.to === "field" && column.fieldId === field.id)}
                          >
                            {field.name}
                          </option>
                        ))}
                      </optgroup>
                    )}
                    {mayAdd && (
                      <optgroup label={text.field.add}>
                        {makeable.map((type) => (
                          <option key={type} value={`new:${type}`}>
                            {t.newField(typeName(type, locale))}
                          </option>
                        ))}
                      </optgroup>
                    )}
                  </Select>
                  {readsNumbers(targets[index]) && found[index] && found[index].kind !== "either" && (
                    <NumberStyleChoice
                      column={column}
                      found={found[index]}
                      style={styles[index]}
                      onChange={(style) => onStyle(index, style)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{text.action.cancel}</Button>
        <Button
          look="primary"
          disabled={!some || undecided || rows.length === 0 || (!table && !tableName.trim())}
          onClick={() => onStart(tableName.trim())}
        >
          {t.start(rows.length)}
        </Button>
      </div>
    </div>
  );
}

function Warning({ children }: { children: string }) {
  return (
    <p role="alert" className="flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-[13.5px] text-warn">
      <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
      {children}
    </p>
  );
}

type StyleProps = {
  column: Column;
  found: ColumnStyle;
  style: NumberStyle | undefined;
  onChange: (style: NumberStyle) => void;
};

/**
 * How a column's numbers are read: found in its values, taken from the rest of the file and the
 * locale, or to be chosen.
 */
function NumberStyleChoice({ column, found, style, onChange }: StyleProps) {
  const t = useCsvText();
  return (
    <div className="mt-1.5">
      <Select
        aria-label={t.numbersOf(column.name)}
        aria-invalid={style === undefined || undefined}
        className="text-[13px]"
        value={style?.decimal ?? ""}
        onChange={(event) => onChange(event.target.value === "," ? commaStyle : pointStyle)}
      >
        {style === undefined && <option value="">{t.chooseNumbers}</option>}
        {[pointStyle, commaStyle].map((one) => (
          <option key={one.decimal} value={one.decimal}>
            {t.numbersAs(numberExample(one))}
          </option>
        ))}
      </Select>
      {found.kind === "ambiguous" && style && (
        <p className="mt-1 text-[12.5px] text-warn">
          {t.ambiguous(found.example, String(readNumber(bare(found.example), style).value))}
        </p>
      )}
      {found.kind === "conflict" && (
        <p className="mt-1 text-[12.5px] text-danger">{t.conflict(found.point, found.comma)}</p>
      )}
    </div>
  );
}
