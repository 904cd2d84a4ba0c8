import { Grip, MoveDiagonal2, X } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId } from "react";
import type { Tile } from "../api/type.ts";
import { useDashboardText } from "../text/dashboard.ts";
import { IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { columns } from "./layout.ts";

export const rowHeight = 56; // pixels
export const gap = 12;

export type TileFrameProps = {
  tile: Tile;
  name: string;
  /** The name as it is shown, such as a link; without one there is no frame. */
  title?: ReactNode;
  editing: boolean;
  /** Somebody moves it, or changes its size. */
  dragged: boolean;
  /** All tiles stand below each other. */
  narrow: boolean;
  onHold: (event: PointerEvent, resizing: boolean) => void;
  onKey: (event: KeyboardEvent, resizing: boolean) => void;
  onRemove: () => void;
  children: ReactNode;
};

/** The frame of a tile, with the handles by which it is moved and resized. */
export function TileFrame(props: TileFrameProps) {
  const { tile, name, title, editing, dragged, narrow, onHold, onKey, onRemove, children } = props;
  const t = useDashboardText();
  const hint = useId();
  const framed = title !== undefined;
  const { column, row, width, height } = tile;
  const place = narrow
    ? { height: height * rowHeight + (height - 1) * gap, order: row * columns + column }
    : { gridColumn: `${column + 1} / span ${width}`, gridRow: `${row + 1} / span ${height}` };
  return (
    <section
      aria-label={name}
      style={place}
      className={join(
        "@container relative flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border",
        !framed && "border-transparent",
        framed && dragged && "z-10 border-accent bg-surface shadow-high",
        framed && !dragged && "border-line bg-surface shadow-low",
      )}
    >
      {framed && (
        <header className="flex h-10 shrink-0 items-center gap-1 pr-2 pl-3.5">
          {editing && (
            <>
              <IconButton
                size="sm"
                label={t.move(name)}
                aria-describedby={hint}
                className="mr-1 -ml-1.5 shrink-0 cursor-grab touch-none active:cursor-grabbing"
                onPointerDown={(event) => onHold(event, false)}
                onKeyDown={(event) => onKey(event, event.shiftKey)}
              >
                <Grip size={15} aria-hidden />
              </IconButton>
              <span id={hint} hidden>
                {t.moveHint}
              </span>
            </>
          )}
          <div className="flex min-w-0 flex-1 items-baseline gap-2">{title}</div>
          {editing && (
            <IconButton size="sm" label={t.remove(name)} onClick={onRemove}>
              <X size={15} aria-hidden />
            </IconButton>
          )}
        </header>
      )}
      <div className={join("flex min-h-0 min-w-0 flex-1 flex-col px-3 pb-3", editing && "pointer-events-none")}>
        {children}
      </div>
      {editing && !narrow && (
        <IconButton
          size="sm"
          label={t.resize(name)}
          aria-describedby={hint}
          className="absolute right-0.5 bottom-0.5 cursor-nwse-resize touch-none bg-surface"
          onPointerDown={(event) => onHold(event, true)}
          onKeyDown={(event) => onKey(event, true)}
        >
          <MoveDiagonal2 size={14} aria-hidden />
        </IconButton>
      )}
    </section>
  );
}
