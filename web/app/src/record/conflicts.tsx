import { useEffect, useRef, useState } from "react";
import type { Table } from "../api/type.ts";
import { ConflictDialog } from "./lazyconflict.ts";
import { useConflict } from "./rows.ts";
import type { Writer } from "./writer.ts";

const pause = 700; // milliseconds without a key after which typing has ended

/**
 * Reports whether somebody types: a key was pressed a moment ago, or the focused control was typed
 * in since it got the focus.
 */
function useTyping(asked: boolean): boolean {
  const [typing, setTyping] = useState(true);
  const typedIn = useRef<EventTarget>(undefined);
  useEffect(() => {
    const type = ({ target }: Event) => (typedIn.current = target ?? undefined);
    const left = () => (typedIn.current = undefined);
    document.addEventListener("input", type, { capture: true });
    document.addEventListener("focusout", left, { capture: true });
    return () => {
      document.removeEventListener("input", type, { capture: true });
      document.removeEventListener("focusout", left, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (!asked) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (document.activeElement !== typedIn.current) setTyping(false);
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(look, pause);
    };
    later();
    const events = ["keydown", "focusout"];
    for (const event of events) document.addEventListener(event, later, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) document.removeEventListener(event, later, { capture: true });
      setTyping(true);
    };
  }, [asked]);
  return typing;
}

/**
 * Asks about each value that was changed both here and elsewhere, one record after another. It
 * waits until the person pauses typing, because a dialog would swallow the next letters.
 */
export function Conflicts({ table, writer }: { table: Table; writer: Writer }) {
  const conflict = useConflict(writer);
  const typing = useTyping(conflict !== undefined);
  return conflict && !typing && <ConflictDialog table={table} writer={writer} conflict={conflict} />;
}
