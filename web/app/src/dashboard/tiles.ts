import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { updateDashboard } from "../api/change.ts";
import type { Dashboard, Tile } from "../api/type.ts";
import { complain } from "../ui/toast.ts";
import { arrange } from "./layout.ts";

const pause = 600; // milliseconds after the last change until it is saved

/** A text that was cleared is not kept as a tile without anything. */
const kept = (tiles: readonly Tile[]) => tiles.filter(({ viewId, text }) => viewId || text);

/**
 * The tiles of a dashboard as they are shown, with what was changed here since; changes are saved
 * shortly after the last of them.
 */
export function useTiles(baseId: string, dashboard: Dashboard) {
  const [draft, setDraft] = useState<Tile[]>();
  const saved = useMemo(() => arrange(dashboard.tiles), [dashboard.tiles]);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; tiles: Tile[] }>(undefined);
  const save = useCallback(
    async (tiles: Tile[]) => {
      try {
        await updateDashboard({ baseId, dashboardId: dashboard.id, body: { tiles: kept(tiles) } });
        // Nothing has changed meanwhile.
        setDraft((now) => (now === tiles ? undefined : now));
      } catch (error) {
        complain(error);
      }
    },
    [baseId, dashboard.id],
  );
  const flush = useCallback(() => {
    const last = waiting.current;
    waiting.current = undefined;
    if (!last) return;
    clearTimeout(last.timer);
    void save(last.tiles);
  }, [save]);
  useEffect(() => flush, [flush]); // what waits when the page is left
  /** Shows tiles, and saves them unless they are `passing`: those of a movement that goes on. */
  const set = useCallback(
    (tiles: Tile[], passing = false) => {
      setDraft(tiles);
      clearTimeout(waiting.current?.timer);
      waiting.current = passing ? undefined : { tiles, timer: setTimeout(flush, pause) };
    },
    [flush],
  );
  return { tiles: draft ?? saved, set, flush };
}
