import { lazy, Suspense } from "react";
import type { Icon } from "../api/type.ts";
import { join } from "./class.ts";
import { toneFrom, toneOf, type Tone } from "./tone.ts";

const Symbol = lazy(() => import("./symbol.tsx"));

type Props = { icon?: Icon | null; name: string; tone?: Tone; size?: number; className?: string };

/** The tile next to the name of a workspace, base or table: its icon, or its first letter. */
export function EntityIcon({ icon, name, tone, size = 28, className }: Props) {
  const colour = toneFrom(icon?.color) ?? tone ?? toneOf(name);
  const letter = [...name.trim()][0]?.toUpperCase() ?? "?";
  return (
    <span
      aria-hidden
      data-tone={colour}
      className={join("tone grid! shrink-0 place-items-center rounded-[22%]! p-0! font-[620]!", className)}
      style={{ width: size, height: size, fontSize: size * 0.46, lineHeight: 1 }}
    >
      {icon?.kind === "emoji" ? (
        icon.value
      ) : icon?.kind === "image" ? (
        <img src={icon.value} alt="" className="size-full object-cover" referrerPolicy="no-referrer" />
      ) : icon?.kind === "lucide" ? (
        <Suspense fallback={letter}>
          <Symbol name={icon.value} size={size * 0.58} fallback={letter} />
        </Suspense>
      ) : (
        letter
      )}
    </span>
  );
}
