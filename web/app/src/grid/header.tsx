import type { SpriteMap } from "@glideapps/glide-data-grid";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { kinds } from "../field/kind.ts";

/** The field types' icons in the form in which the grid draws them in its header. */
export function headerIcons(): SpriteMap {
  const place = document.createElement("div");
  const root = createRoot(place);
  flushSync(() =>
    root.render(
      kinds.map((kind) => (
        <span key={kind.type} data-type={kind.type}>
          <kind.icon size={20} strokeWidth={2} />
        </span>
      )),
    ),
  );
  const icons: SpriteMap = {};
  for (const span of place.querySelectorAll("span")) {
    const drawn = span.innerHTML;
    icons[span.dataset.type ?? ""] = ({ bgColor }) => drawn.replaceAll("currentColor", bgColor);
  }
  root.unmount();
  return icons;
}
