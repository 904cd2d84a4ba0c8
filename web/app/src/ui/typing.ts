import { useEffect, useRef, useState } from "react";

const pause = 700; // milliseconds without a key after which typing has ended

/**
 * Reports whether somebody types: a key was pressed a moment ago, or the focused control was typed
 * in since it got the focus, and Enter was not pressed there. A dialog that opens by itself waits
 * for the end, because it would swallow the next letters.
 */
export function useTyping(asked: boolean): boolean {
  const [typing, setTyping] = useState(true);
  const typedIn = useRef<EventTarget>(undefined);
  useEffect(() => {
    const type = ({ target }: Event) => (typedIn.current = target ?? undefined);
    const left = () => (typedIn.current = undefined);
    document.addEventListener("input", type, { capture: true });
    const enter = ({ key }: KeyboardEvent) => key === "Enter" && left();
    document.addEventListener("focusout", left, { capture: true });
    document.addEventListener("keydown", enter, { capture: true });
    return () => {
      document.removeEventListener("input", type, { capture: true });
      document.removeEventListener("focusout", left, { capture: true });
      document.removeEventListener("keydown", enter, { capture: true });
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
