import type { GridColumn, SpriteMap } from "@glideapps/glide-data-grid";
import { Lock, Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { Field } from "../api/type.ts";
import { fieldTypes } from "../field/facts.ts";
import { kindOf } from "../field/kind/index.ts";
import { useText } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { columnWidth } from "./width.ts";

/** The icon of a field that the person may not write, whatever its type is. */
const lockIcon = "lock";

/** The columns of the grid. */
export function useColumns(fields: readonly Field[], widths: Record<string, number>): GridColumn[] {
  return useMemo(
    () =>
      fields.map((field) => ({
        id: field.id,
        title: field.name,
        width: columnWidth(field, widths),
        icon: field.locked ? lockIcon : field.type,
        hasMenu: true,
      })),
    [fields, widths],
  );
}

/** The button behind the last column, which makes a field. */
export function AddField({ onAdd }: { onAdd: (anchor: Element) => void }) {
  const text = useText();
  return (
    <div className="flex h-9.5 w-11 items-center justify-center border-b border-line bg-canvas">
      <IconButton label={text.field.add} size="sm" onClick={(event) => onAdd(event.currentTarget)}>
        <Plus size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

const none: SpriteMap = {};
let drawn: SpriteMap | undefined;

/**
 * The icons of the field types, which the grid draws in its header. The first grid of a page gets
 * them when its rows have been drawn, which need not wait for them.
 */
export function useHeaderIcons(rowsAreThere: boolean): SpriteMap {
  const [icons, setIcons] = useState(drawn ?? none);
  useEffect(() => {
    if (!rowsAreThere || icons === drawn) return undefined;
    const later = setTimeout(() => setIcons((drawn ??= fieldIcons())));
    return () => clearTimeout(later);
  }, [rowsAreThere, icons]);
  return icons;
}

/** The lock and the field types' icons in the form in which the grid draws them. */
function fieldIcons(): SpriteMap {
  const place = document.createElement("div");
  const root = createRoot(place);
  const drawings = [...fieldTypes.map((type) => [type, kindOf(type).icon] as const), [lockIcon, Lock] as const];
  flushSync(() =>
    root.render(
      drawings.map(([name, Symbol]) => (
        <span key={name} data-type={name}>
          <Symbol size={20} strokeWidth={2} />
        </span>
      )),
    ),
  );
  const icons: SpriteMap = {};
  for (const span of place.querySelectorAll("span")) {
    const drawing = span.innerHTML;
    icons[span.dataset.type ?? ""] = ({ bgColor }) => drawing.replaceAll("currentColor", bgColor);
  }
  root.unmount();
  return icons;
}
