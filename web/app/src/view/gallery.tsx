import { useState } from "react";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "./card.tsx";
import type { RecordViewProps } from "./contract.ts";
import { chosenField, coverField } from "./fieldsetting.ts";
import { useLoadedRows } from "./loadedrows.ts";
import { useRowTone } from "./tone.ts";

const step = 100;

/** A card for each record; more are read when they are asked for. */
export function GalleryView({ table, state, source, empty, onOpen }: RecordViewProps) {
  const t = useText().view;
  const [max, setMax] = useState(step);
  const rows = useLoadedRows(source, max);
  const toneOf = useRowTone(source, state);
  const cover = chosenField(coverField, table, state.config);
  if (source.total === 0) return empty;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(260px,100%),1fr))] items-start gap-3">
        {rows.map((row) => (
          <li key={row.id}>
            <Card row={row} fields={state.visible} cover={cover} tone={toneOf(row)} onOpen={() => onOpen(row.id)} />
          </li>
        ))}
      </ul>
      {rows.length < (source.total ?? 0) && (
        <div className="flex justify-center pt-5">
          <Button onClick={() => setMax(max + step)}>{t.loadMore}</Button>
        </div>
      )}
    </div>
  );
}
