import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from "react";
import { pageQuery } from "../api/query.ts";
import type { Field, Linked, Row, Table } from "../api/type.ts";
import { tableOf, useBase } from "../access/base.ts";
import type { Format } from "./kind.ts";
import { linkedTable } from "./linked.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
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
  // What is linked stands first while nothing is looked for; a search finds it as any other record.
  const first = wanted === "" ? selected : [];
  const rest = (page.data?.records ?? []).filter((row) => !first.some((one) => one.id === row.id));
  const offered: Linked[] = [...first, ...rest.map((row) => ({ id: row.id, name: nameOf(row) }))];
  const save = (linked: Linked[]) => {
    names.learn(linked);
    onSave(linked);
    onClose();
  };

  const [active, setActive] = useState<number>();
  const [entered, setEntered] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const isFresh = wanted === search.trim() && !page.isPending && !page.isPlaceholderData;
  // Enter waits for what the search finds.
  useEffect(() => {
    if (!entered || !isFresh) return;
    setEntered(false);
    const record = offered[active ?? 0];
    if (!record) return;
    if (!multiple) return save([record]);
    toggle(record, !chosen.some((one) => one.id === record.id));
    setSearch("");
    setActive(undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- the rest is that of the render in which it became fresh
  }, [entered, isFresh]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && offered.length > 0) {
      event.preventDefault();
      const before = active ?? (step > 0 ? -1 : 0);
      setActive((before + step + offered.length) % offered.length);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (search.trim() === "" && active === undefined) save(chosen);
      else setEntered(true);
    }
  };
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
          <Button look="primary" onClick={() => save(chosen)}>
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
          onChange={(event) => {
            setSearch(event.target.value);
            setActive(event.target.value.trim() === "" ? undefined : 0);
          }}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
        />
      </label>
      {page.isError && <Failed error={page.error} retry={() => void page.refetch()} />}
      <ul ref={list} className="h-80 overflow-y-auto" aria-busy={page.isFetching}>
        {offered.map((record, index) => {
          const row = rest[index - first.length];
          return (
            <li key={record.id} className={join(line, index === active && "bg-hover")} data-active={index === active}>
              <Checkbox
                checked={chosen.some((one) => one.id === record.id)}
                onChange={(on) => toggle(record, on)}
                label={record.name || text.base.record.untitled}
                hint={table && row && <Second table={table} row={row} format={format} />}
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

/** A second line that distinguishes records with the same name. */
function Second({ table, row, format }: { table: Table; row: Row; format: Format }) {
  const shown = table.fields
    .filter((field) => !field.isPrimary)
    .slice(0, 3)
    .map((field) => format(row.fields[field.name], field))
    .filter(Boolean);
  return shown.length > 0 ? <span className="line-clamp-1">{shown.join(" · ")}</span> : null;
}
