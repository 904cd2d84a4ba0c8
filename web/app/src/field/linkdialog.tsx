import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { pageQuery } from "../api/query.ts";
import type { Field, Linked, Row, Table } from "../api/type.ts";
import { tableOf, useBase } from "../access/base.ts";
import type { Format } from "./kind.ts";
import { linkedTable } from "./linked.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/form.tsx";
import { Failed } from "../ui/state.tsx";

type Props = {
  field: Field;
  selected: Linked[];
  /** Writes the values by which records are known. */
  format: Format;
  onClose: () => void;
  onSave: (linked: Linked[]) => void;
};

const searchLook =
  "mb-2 flex h-9 items-center gap-2 " +
  "rounded-md border border-line-strong px-2.5 focus-within:outline-2 focus-within:outline-(--ring)";

/** Chooses the records that a link field points at. */
export function LinkDialog({ field, selected, format, onClose, onSave }: Props) {
  const text = useText();
  const { base } = useBase();
  const tableId = linkedTable(field) ?? "";
  const table = tableOf(base, tableId);
  return (
    <PickRecords
      title={text.field.linkTitle(table?.name ?? "")}
      tableId={tableId}
      selected={selected}
      multiple={field.config?.multiple !== false}
      format={format}
      onClose={onClose}
      onSave={onSave}
    />
  );
}

type PickProps = Omit<Props, "field"> & { title: string; tableId: string; multiple: boolean };

export function PickRecords({ title, tableId, selected, multiple, format, onClose, onSave }: PickProps) {
  const text = useText();
  const { base, names } = useBase();
  const table = tableOf(base, tableId);
  const [chosen, setChosen] = useState(selected);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const page = useQuery({
    ...pageQuery(tableId, { search: wanted, limit: 50 }),
    enabled: tableId !== "",
    placeholderData: keepPreviousData,
  });
  const primary = table?.fields.find((field) => field.isPrimary);
  const nameOf = (row: Row) => (primary ? format(row.fields[primary.name], primary) : "");
  const toggle = (record: Linked, on: boolean) =>
    setChosen(!on ? chosen.filter((one) => one.id !== record.id) : multiple ? [...chosen, record] : [record]);
  const rest = (page.data?.records ?? []).filter((row) => !selected.some((one) => one.id === row.id));
  const line = "rounded-md px-2.5 py-2 hover:bg-hover";
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <span className="flex-1 text-[13px] text-muted">
            {chosen.length > 0 && text.field.linkedCount(chosen.length)}
          </span>
          <Button onClick={onClose}>{text.action.cancel}</Button>
          <Button
            look="primary"
            onClick={() => {
              names.learn(chosen);
              onSave(chosen);
              onClose();
            }}
          >
            {text.action.done}
          </Button>
        </>
      }
    >
      <label className={searchLook}>
        <Search size={15} className="text-faint" aria-hidden />
        <input
          type="search"
          value={search}
          aria-label={text.field.searchRecords}
          placeholder={text.field.searchRecords}
          onChange={(event) => setSearch(event.target.value)}
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
        />
      </label>
      {page.isError && <Failed error={page.error} retry={() => void page.refetch()} />}
      <ul className="h-80 overflow-y-auto" aria-busy={page.isFetching}>
        {wanted === "" &&
          selected.map((record) => (
            <li key={record.id} className={line}>
              <Checkbox
                checked={chosen.some((one) => one.id === record.id)}
                onChange={(on) => toggle(record, on)}
                label={record.name || text.base.record.untitled}
              />
            </li>
          ))}
        {rest.map((row) => {
          const record = { id: row.id, name: nameOf(row) };
          return (
            <li key={row.id} className={line}>
              <Checkbox
                checked={chosen.some((one) => one.id === row.id)}
                onChange={(on) => toggle(record, on)}
                label={record.name || text.base.record.untitled}
                hint={table && <Second table={table} row={row} format={format} />}
              />
            </li>
          );
        })}
        {page.isSuccess && rest.length === 0 && (wanted !== "" || selected.length === 0) && (
          <li className="px-2.5 py-6 text-center text-muted">{text.field.noRecords}</li>
        )}
      </ul>
    </Dialog>
  );
}

/** A second line that tells records with the same name apart. */
function Second({ table, row, format }: { table: Table; row: Row; format: Format }) {
  const shown = table.fields
    .filter((field) => !field.isPrimary)
    .slice(0, 3)
    .map((field) => format(row.fields[field.name], field))
    .filter(Boolean);
  return shown.length > 0 ? <span className="line-clamp-1">{shown.join(" · ")}</span> : null;
}
