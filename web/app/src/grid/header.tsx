import { type SpriteMap, sprites } from "@glideapps/glide-data-grid";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { fieldTypes } from "../field/facts.ts";
import { kindOf } from "../field/kind/index.ts";

/** The grid's own sign on the icon of a field that the person may not write. */
export const lockIcon = "protectedColumnOverlay";

let drawn: SpriteMap | undefined;

/**
 * The grid's own icons and the icons of the field types, which it draws in its header. The first
 * grid of a page gets the latter when its rows have been drawn, which need not wait for them.
 */
export function useHeaderIcons(rowsAreThere: boolean): SpriteMap {
  const [icons, setIcons] = useState(drawn ?? sprites);
  useEffect(() => {
    if (!rowsAreThere || icons === drawn) return undefined;
    const later = setTimeout(() => setIcons((drawn ??= { ...sprites, ...fieldIcons() })));
    return () => clearTimeout(later);
  }, [rowsAreThere, icons]);
  return icons;
}

/** The field types' icons in the form in which the grid draws them. */
function fieldIcons(): SpriteMap {
  const place = document.createElement("div");
  const root = createRoot(place);
  flushSync(() =>
    root.render(
      fieldTypes.map((type) => {
        const Symbol = kindOf(type).icon;
        return (
          <span key={type} data-type={type}>
            <Symbol size={20} strokeWidth={2} />
          </span>
        );
      }),
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
