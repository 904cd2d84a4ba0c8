import { Plus } from "lucide-react";
import { useState } from "react";
import { useOpened } from "../base/context.ts";
import { NoRecords, type ViewProps } from "../base/table.tsx";
import { Toolbar } from "../base/toolbar.tsx";
import { NewRecord } from "../record/create.tsx";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { Card } from "./cards.tsx";
import { FieldChoice } from "./setting.tsx";
import { useAllRows } from "./use.ts";

const t = text.view;
const step = 100;

/** A card for each record; more are read when they are asked for. */
export function GalleryView({ table, view, state, onOpen }: ViewProps) {
  const { canWrite } = useOpened();
  const [most, setMost] = useState(step);
  const { source, rows, status, search, setSearch, narrowed } = useAllRows(table, state, most);
  const [creating, setCreating] = useState(false);
  const cover = table.fields.find((field) => field.id === state.config.coverFieldId);
  return (
    <>
      <Toolbar table={table} view={view} state={state} status={status} total={source.total} search={search} onSearch={setSearch}>
        {canWrite && (
          <Button size="sm" look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)} className="mr-1">
            {text.base.newRecord}
          </Button>
        )}
        <FieldChoice
          label={t.cover}
          none={t.noCover}
          fields={table.fields.filter((field) => ["attachment", "url"].includes(field.type))}
          value={state.config.coverFieldId}
          onChange={(coverFieldId) => state.set({ coverFieldId })}
        />
      </Toolbar>
      {source.problem && source.total === undefined ? (
        <Failed error={source.problem} retry={() => source.refresh()} />
      ) : source.total === undefined ? (
        <Waiting />
      ) : source.total === 0 ? (
        <NoRecords
          narrowed={narrowed}
          onClear={() => {
            setSearch("");
            state.set({ filters: [] });
          }}
          onAdd={canWrite ? () => setCreating(true) : undefined}
        />
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4">
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(260px,100%),1fr))] items-start gap-3">
            {rows.map((row) => (
              <li key={row.id}>
                <Card row={row} fields={state.visible} cover={cover} onOpen={() => onOpen(row.id)} />
              </li>
            ))}
          </ul>
          {rows.length < source.total && (
            <div className="flex justify-center pt-5">
              <Button onClick={() => setMost(most + step)}>{t.loadMore}</Button>
            </div>
          )}
        </div>
      )}
      {creating && <NewRecord table={table} fields={state.ordered} onClose={() => setCreating(false)} onMade={() => source.refresh(0, most - 1)} />}
    </>
  );
}
