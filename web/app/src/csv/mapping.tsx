import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Field, FieldType, Table } from "../api/type.ts";
import { fieldTypes } from "../field/facts.ts";
import { numberExample } from "../field/format.ts";
import { kindOf } from "../field/kind/index.ts";
import { commaStyle, pointStyle } from "../field/number.ts";
import { typeName } from "../field/value.ts";
import { useLocale } from "../locale/locale.ts";
import { useCsvText } from "../text/csv.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Input, Row, Select } from "../ui/form.tsx";
import {
  type Column,
  isOpen,
  keysOf,
  othersOf,
  type Preview,
  type PreviewColumn,
  readsDates,
  readsNumbers,
  type Style,
  writable,
} from "./plan.ts";
import { delimiters, encodings, type Reading } from "./read.ts";

const makeable = fieldTypes.filter((type) => kindOf(type).csv?.offered);

const valueOf = (column: Column) =>
  column.to === "skip" ? "skip" : column.to === "new" ? `new:${column.type}` : `field:${column.fieldId}`;

type Props = {
  table?: Table;
  name: string;
  preview: Preview;
  columns: Column[];
  /** The field that each column goes to. */
  targets: (Field | undefined)[];
  /** How each column is read; what must be chosen is missing. */
  styles: Style[];
  mayAdd: boolean;
  /** The cells were pasted. */
  pasted?: boolean;
  /** The field by whose values records are found and updated; "" makes a record of each row. */
  upsertOn: string;
  onRead: (reading: Reading) => void;
  onChange: (columns: Column[]) => void;
  onStyle: (index: number, style: Style) => void;
  onUpsert: (fieldId: string) => void;
  /** The other sheets of the file become tables, too. */
  withOthers: boolean;
  onOthers: (withOthers: boolean) => void;
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
  preview,
  columns,
  targets,
  styles,
  mayAdd,
  pasted,
  upsertOn,
  onRead,
  onChange,
  onStyle,
  onUpsert,
  withOthers,
  onOthers,
  onCancel,
  onStart,
}: Props) {
  const text = useText();
  const t = useCsvText();
  const locale = useLocale();
  const [tableName, setTableName] = useState(name);
  const { rows } = preview;
  const others = table ? [] : othersOf(preview);
  const replace = (index: number, next: Column) =>
    onChange(columns.map((column, at) => (at === index ? next : column)));
  const used = new Set(columns.flatMap((column) => (column.to === "field" ? [column.fieldId] : [])));
  const some = columns.some((column) => column.to !== "skip");
  const undecided = targets.some((field, index) => isOpen(preview.columns[index], field, styles[index] ?? {}));
  return (
    <div className="flex flex-col gap-4">
      {table ? (
        <p className="text-muted">
          {t.target} <strong className="text-ink">{table.name}</strong> · {t.rows(rows)}
        </p>
      ) : (
        <Row label={text.base.tableName} hint={t.rows(rows)}>
          {(at) => (
            <Input {...at} maxLength={200} value={tableName} onChange={(event) => setTableName(event.target.value)} />
          )}
        </Row>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2.5">
        {(preview.sheets?.length ?? 0) > 1 && (
          <label className="flex items-center gap-2.5 text-[13px] font-[560]">
            {t.sheet}
            <Select
              className="w-52! font-[400]"
              value={preview.sheet}
              onChange={(event) => onRead({ sheet: event.target.value })}
            >
              {preview.sheets?.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </Select>
          </label>
        )}
        {others.length > 0 && (
          <Checkbox label={t.others(others)} checked={withOthers} onChange={onOthers} />
        )}
        {preview.form === "csv" && !pasted && <TextForm preview={preview} onRead={onRead} />}
        {(preview.form === "csv" || preview.form === "xlsx") && (
          <Checkbox label={t.header} checked={preview.hasHeader} onChange={(header) => onRead({ header })} />
        )}
      </div>
      {preview.unreadable > 0 && <Warning>{t.undecodable(preview.unreadable)}</Warning>}
      {preview.skippedRows > 0 && <Warning>{t.skipped(preview.skippedRows)}</Warning>}
      {rows === 0 && <Warning>{t.noRows}</Warning>}
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
                <td className="max-w-44 truncate px-3 py-2 font-[560]">
                  {preview.columns[index]?.name || column.name}
                </td>
                <td className="max-w-60 truncate px-3 py-2 text-muted max-sm:hidden">
                  {preview.columns[index]?.samples.join(" · ")}
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
                        {preview.columns[index]?.link && (
                          <option value="new:link">{t.newLink(preview.columns[index].link.table)}</option>
                        )}
                        {makeable.map((type) => (
                          <option key={type} value={`new:${type}`}>
                            {t.newField(typeName(type, locale))}
                          </option>
                        ))}
                      </optgroup>
                    )}
                  </Select>
                  {column.to === "new" && column.type === "link" && preview.columns[index]?.link && (
                    <LinkReason link={preview.columns[index].link} />
                  )}
                  {readsNumbers(targets[index]) && (
                    <NumberChoice
                      column={column}
                      read={preview.columns[index]}
                      style={styles[index] ?? {}}
                      onChange={(style) => onStyle(index, style)}
                    />
                  )}
                  {readsDates(targets[index]) && (
                    <DateChoice
                      column={column}
                      read={preview.columns[index]}
                      style={styles[index] ?? {}}
                      onChange={(style) => onStyle(index, style)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table && keysOf(targets).length > 0 && (
        <label className="flex flex-wrap items-center gap-2.5 text-[13px] font-[560]">
          {t.upsert}
          <Select
            className="w-64! font-[400]"
            value={upsertOn}
            onChange={(event) => onUpsert(event.target.value)}
          >
            <option value="">{t.upsertNone}</option>
            {keysOf(targets).map(({ id, name: own }) => (
              <option key={id} value={id}>
                {t.upsertBy(own)}
              </option>
            ))}
          </Select>
        </label>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{text.action.cancel}</Button>
        <Button
          look="primary"
          disabled={!some || undecided || rows === 0 || (!table && !tableName.trim())}
          onClick={() => onStart(tableName.trim())}
        >
          {t.start(rows)}
        </Button>
      </div>
    </div>
  );
}

type FormProps = { preview: Preview; onRead: (reading: Reading) => void };

/** How the text of the file is divided into characters and cells. */
function TextForm({ preview, onRead }: FormProps) {
  const t = useCsvText();
  return (
    <>
      <label className="flex items-center gap-2.5 text-[13px] font-[560]">
        {t.encoding}
        <Select
          className="w-52! font-[400]"
          value={preview.encoding}
          onChange={(event) => onRead({ encoding: event.target.value })}
        >
          {encodings.map((one) => (
            <option key={one} value={one}>
              {t.encodings[one]}
            </option>
          ))}
        </Select>
      </label>
      <label className="flex items-center gap-2.5 text-[13px] font-[560]">
        {t.delimiter}
        <Select
          className="w-36! font-[400]"
          value={preview.delimiter}
          onChange={(event) => onRead({ delimiter: event.target.value as Reading["delimiter"] })}
        >
          {delimiters.map((one) => (
            <option key={one} value={one}>
              {t.delimiters[one]}
            </option>
          ))}
        </Select>
      </label>
    </>
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

/** Why a column is proposed as a link, and which of its values would be left out. */
function LinkReason({ link }: { link: NonNullable<PreviewColumn["link"]> }) {
  const t = useCsvText();
  const left = link.values - link.matched;
  return (
    <p className={`mt-1 text-[12.5px] ${left > 0 ? "text-warn" : "text-muted"}`}>
      {t.named(link.matched, link.values, link.table)}
      {left > 0 && ` ${t.unnamedRows((link.unmatched ?? []).slice(0, 3).join(", "), left)}`}
    </p>
  );
}

type StyleProps = {
  column: Column;
  read: PreviewColumn | undefined;
  style: Style;
  onChange: (style: Style) => void;
};

/**
 * How a column's numbers are read: found in its values, taken from the rest of the file and the
 * locale, or to be chosen.
 */
function NumberChoice({ column, read, style, onChange }: StyleProps) {
  const t = useCsvText();
  if (!read || read.numbers.found === "either") return null;
  const [first = "", second = ""] = read.numbers.examples ?? [];
  return (
    <div className="mt-1.5">
      <Select
        aria-label={t.numbersOf(column.name)}
        aria-invalid={style.decimal === undefined || undefined}
        className="text-[13px]"
        value={style.decimal ?? ""}
        onChange={(event) => onChange({ decimal: event.target.value === "comma" ? "comma" : "point" })}
      >
        {style.decimal === undefined && <option value="">{t.chooseNumbers}</option>}
        <option value="point">{t.numbersAs(numberExample(pointStyle))}</option>
        <option value="comma">{t.numbersAs(numberExample(commaStyle))}</option>
      </Select>
      {read.numbers.found === "open" && style.decimal && (
        <p className="mt-1 text-[12.5px] text-warn">{t.ambiguous(first, t.decimals[style.decimal])}</p>
      )}
      {read.numbers.found === "conflict" && (
        <p className="mt-1 text-[12.5px] text-danger">{t.conflict(first, second)}</p>
      )}
    </div>
  );
}

/** The order of day and month in a column's dates: found in the file, or to be chosen. */
function DateChoice({ column, read, style, onChange }: StyleProps) {
  const t = useCsvText();
  if (!read || read.dates.found === "either") return null;
  const [first = "", second = ""] = read.dates.examples ?? [];
  return (
    <div className="mt-1.5">
      <Select
        aria-label={t.datesOf(column.name)}
        aria-invalid={style.dateOrder === undefined || undefined}
        className="text-[13px]"
        value={style.dateOrder ?? ""}
        onChange={(event) => onChange({ dateOrder: event.target.value === "MDY" ? "MDY" : "DMY" })}
      >
        {style.dateOrder === undefined && <option value="">{t.chooseDates}</option>}
        <option value="DMY">{t.dateOrders.DMY}</option>
        <option value="MDY">{t.dateOrders.MDY}</option>
      </Select>
      {read.dates.found === "open" && <p className="mt-1 text-[12.5px] text-warn">{t.openDates(first)}</p>}
      {read.dates.found === "conflict" && (
        <p className="mt-1 text-[12.5px] text-danger">{t.conflict(first, second)}</p>
      )}
    </div>
  );
}
