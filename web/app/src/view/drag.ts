import { type PointerEvent, type RefObject, useLayoutEffect, useRef } from "react";

const threshold = 4; // pixels from which on a press is a drag
const hold = 350; // milliseconds for which a finger rests on something before it drags it
const edge = 36; // pixels from an edge of what scrolls, within which a drag scrolls it
const scrollStep = 12; // pixels
const scrollTime = 30; // milliseconds between two steps

/** A place of the window. */
export type Point = { x: number; y: number };

type Options<Part> = {
  enabled: boolean;
  /** What scrolls while the drag is at its upper or lower edge. */
  box?: RefObject<HTMLElement | null>;
  /** A part was pressed at a point, and is dragged from now on. */
  onBegin: (part: Part, from: Point) => void;
  onMove: (part: Part, to: Point) => void;
  /** The drag ended, also where it was given up. */
  onEnd: () => void;
  /** What was dragged is let go; after `onEnd`. */
  onDrop: (part: Part) => void;
};

type Press<Part> = {
  from: Point;
  to: Point;
  part: Part;
  dragging: boolean;
  timer?: ReturnType<typeof setTimeout>;
  scrolling?: ReturnType<typeof setInterval>;
};

function scrollAt(box: HTMLElement | null | undefined, { y }: Point) {
  if (!box) return;
  const { top, bottom } = box.getBoundingClientRect();
  if (y < top + edge) box.scrollTop -= scrollStep;
  else if (y > bottom - edge) box.scrollTop += scrollStep;
}

/**
 * Dragging of an element, with a mouse at once and with a finger after it rested there. Which part is dragged is
 * in its `data-part`, and is "whole" without one.
 */
export function useDrag<Part extends string>(place: RefObject<HTMLElement | null>, options: Options<Part | "whole">) {
  const { enabled, box, onBegin, onMove, onEnd, onDrop } = options;
  const press = useRef<Press<Part | "whole">>(undefined);
  const dragged = useRef(false); // the click that ends a drag is none
  const latest = useRef(options); // what scrolls, and what goes away, is later than the press
  useLayoutEffect(() => {
    latest.current = options;
  });

  // While a finger drags, the page does not scroll. The browser has to know before it draws the element.
  useLayoutEffect(() => {
    const element = place.current;
    const keep = (event: TouchEvent) => press.current?.dragging && event.preventDefault();
    element?.addEventListener("touchmove", keep, { passive: false });
    return () => {
      element?.removeEventListener("touchmove", keep);
      clearTimeout(press.current?.timer);
      clearInterval(press.current?.scrolling);
      if (press.current?.dragging) latest.current.onEnd(); // somebody else has taken the element away
    };
  }, [place]);

  const release = () => {
    const now = press.current;
    if (!now) return;
    clearTimeout(now.timer);
    clearInterval(now.scrolling);
    press.current = undefined;
    if (now.dragging) onEnd();
  };
  const begin = () => {
    const now = press.current;
    if (!now) return;
    now.dragging = true;
    onBegin(now.part, now.from);
    if (!box) return;
    now.scrolling = setInterval(() => {
      scrollAt(box.current, now.to);
      latest.current.onMove(now.part, now.to);
    }, scrollTime);
  };
  return {
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        dragged.current = false;
        if (!enabled || event.button !== 0) return;
        const part = ((event.target as HTMLElement).dataset.part ?? "whole") as Part | "whole";
        const from = { x: event.clientX, y: event.clientY };
        press.current = { from, to: from, part, dragging: false };
        if (event.pointerType === "touch") press.current.timer = setTimeout(begin, hold);
        else place.current?.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        const now = press.current;
        if (!now) return;
        now.to = { x: event.clientX, y: event.clientY };
        if (!now.dragging) {
          if (Math.max(Math.abs(now.to.x - now.from.x), Math.abs(now.to.y - now.from.y)) < threshold) return;
          if (event.pointerType === "touch") return release(); // it scrolls
          begin();
        }
        onMove(now.part, now.to);
      },
      onPointerUp: () => {
        const now = press.current;
        if (!now) return;
        dragged.current = now.dragging;
        release();
        if (now.dragging) onDrop(now.part);
      },
      onPointerCancel: release,
      onContextMenu: (event: { preventDefault: () => void }) => press.current && event.preventDefault(),
    },
    /** Gives a drag up, and reports whether there was one. */
    cancel: () => {
      if (!press.current?.dragging) return false;
      dragged.current = true;
      release();
      return true;
    },
    /** Reports whether a click is one, and not the end of a drag. */
    isClick: () => {
      const is = !dragged.current;
      dragged.current = false;
      return is;
    },
  };
}
