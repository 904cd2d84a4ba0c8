import { useState } from "react";
import type { FieldType, Table } from "../api/type.ts";
import { kinds } from "../field/kind.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Input, Row, Select } from "../ui/form.tsx";
import { type Column, writable } from "./plan.ts";

const t = text.base.csv;
const makeable = kinds.filter((kind) => !kind.readOnly && !["link", "button", "attachment", "user", "json"].includes(kind.type));

const valueOf = (column: Column) => (column.to === "skip" ? "skip" : column.to === "new" ? `new:${column.type}` : `field:${column.fieldId}`);

type Props = {
  table?: Table;
  name: string;
  header: string[];
  rows: string[][];
  columns: Column[];
  mayAdd: boolean;
  onChange: (columns: Column[]) => void;
  onCancel: () => void;
  onStart: (tableName: string) => void;
};

/** Shows each column with its first values, and asks which field it goes to. */
export function Mapping({ table, name, header, rows, columns, mayAdd, onChange, onCancel, onStart }: Props) {
  const [tableName, setTableName] = useState(name);
  const replace = (index: number, next: Column) => onChange(columns.map((column, at) => (at === index ? next : column)));
  const used = new Set(columns.flatMap((column) => (column.to === "field" ? [column.fieldId] : [])));
  const some = columns.some((column) => column.to !== "skip");
  return (
    <div className="flex flex-col gap-4">
      {table ? (
        <p className="text-muted">
          {t.target} <strong className="text-ink">{table.name}</strong> · {t.rows(rows.length)}
        </p>
      ) : (
        <Row label={text.base.tableName} hint={t.rows(rows.length)}>
          {(at) => <Input {...at} maxLength={200} value={tableName} onChange={(event) => setTableName(event.target.value)} />}
        </Row>
      )}
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
                <td className="max-w-44 truncate px-3 py-2 font-[560]">{header[index]?.trim() || column.name}</td>
                <td className="max-w-60 truncate px-3 py-2 text-muted max-sm:hidden">
                  {rows
                    .slice(0, 20)
                    .map((row) => row[index])
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
                      replace(index, to === "field" ? { name: column.name, to, fieldId: rest } : to === "new" ? { name: column.name, to, type: rest as FieldType } : { name: column.name, to: "skip" });
                    }}
                  >
                    <option value="skip">{t.skip}</option>
                    {table && (
                      <optgroup label={table.name}>
                        {table.fields.filter(writable).map((field) => (
                          <option key={field.id} value={`field:${field.id}`} disabled={used.has(field.id) && !(column.to === "field" && column.fieldId === field.id)}>
                            {field.name}
                          </option>
                        ))}
                      </optgroup>
                    )}
                    {mayAdd && (
                      <optgroup label={text.field.add}>
                        {makeable.map((kind) => (
                          <option key={kind.type} value={`new:${kind.type}`}>
                            {t.newField(text.field.kind[kind.type])}
                          </option>
                        ))}
                      </optgroup>
                    )}
                  </Select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{text.action.cancel}</Button>
        <Button look="primary" disabled={!some || (!table && !tableName.trim())} onClick={() => onStart(tableName.trim())}>
          {t.start(rows.length)}
        </Button>
      </div>
    </div>
  );
}
