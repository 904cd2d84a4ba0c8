import { CircleAlert, CloudOff, LoaderCircle } from "lucide-react";
import { useState } from "react";
import { useText } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { UnsavedDialog } from "./lazyunsaved.ts";
import { useUnsaved } from "./rows.ts";
import { causeOf } from "./waiting.ts";
import { isKept } from "./writers.ts";

const chip = "flex items-center gap-1.5 rounded-md px-2 py-1 text-[13px] hover:underline";

/**
 * Says whether the service has every change, and opens the list of those that it has not. It is read
 * out when the connection is lost, when a change was refused, and when somebody has to choose.
 */
export function Saving() {
  const t = useText().base;
  const { state, count, refused, conflicts, problem } = useUnsaved();
  const [open, setOpen] = useState(false);
  const quiet = state !== "waiting" && refused + conflicts === 0;
  return (
    <>
      {state === "waiting" && (
        <span role="alert" className="max-sm:order-2">
          <button type="button" className={join(chip, "bg-warn-soft text-warn")} onClick={() => setOpen(true)}>
            <CloudOff size={14} aria-hidden />
            {t.waiting(count, causeOf(problem), isKept())}
          </button>
        </span>
      )}
      {conflicts > 0 && (
        <span role="status" className="max-sm:order-2">
          <button type="button" className={join(chip, "bg-warn-soft text-warn")} onClick={() => setOpen(true)}>
            <CircleAlert size={14} aria-hidden />
            {t.conflictCount(conflicts)}
          </button>
        </span>
      )}
      {refused > 0 && (
        <span role="status" className="max-sm:order-2">
          <button type="button" className={join(chip, "bg-danger-soft text-danger")} onClick={() => setOpen(true)}>
            <CircleAlert size={14} aria-hidden />
            {t.refusedCount(refused)}
          </button>
        </span>
      )}
      {state !== "waiting" && (
        <span
          role="status"
          className={join(
            "flex items-center gap-1.5 px-1 text-[13px] text-faint max-sm:order-2",
            state === "idle" && "sr-only",
          )}
        >
          {state === "saving" && <LoaderCircle size={13} className="animate-spin" aria-hidden />}
          {state === "saving" ? t.saving(count) : quiet ? t.saved : ""}
        </span>
      )}
      {open && <UnsavedDialog onClose={() => setOpen(false)} />}
    </>
  );
}
