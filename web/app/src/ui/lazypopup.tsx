import {
  cloneElement,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type Ref,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type * as Popups from "./menu.tsx";
import { complain } from "./toast.ts";

// The menus and popovers of what a page shows first. A menu is much code, and none of it is needed
// before somebody opens one: until then the trigger is a plain button.

let popups: typeof Popups | undefined;
const followers = new Set<() => void>();

/** Loads the code of menus and popovers, so that the first opens at once. */
export async function loadPopups(): Promise<void> {
  if (popups) return;
  popups = await import("./menu.tsx");
  for (const follower of followers) follower();
}

const follow = (follower: () => void) => {
  followers.add(follower);
  return () => void followers.delete(follower);
};

const loaded = () => popups;

const ahead = () => void loadPopups().catch(() => undefined); // a click loads it again, and complains

/** What is inside of an open menu, whose code has therefore been loaded. */
function parts(): typeof Popups {
  if (!popups) throw new Error("part of a menu is shown outside of one");
  return popups;
}

type TriggerProps = {
  "aria-haspopup": "menu" | "dialog";
  "aria-expanded": boolean;
  onClick: () => void;
  onFocus: () => void;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerDown: () => void;
  onPointerEnter: () => void;
};

type Props = { trigger?: ReactElement; open?: boolean; onOpenChange?: (open: boolean) => void };

type Real = { popups?: typeof Popups; defaultOpen: boolean; triggerRef: Ref<HTMLButtonElement>; plain?: ReactElement };

/**
 * Follows one popup. `popups` is there when the popup itself is to be shown, with its trigger;
 * before, `plain` is its trigger alone.
 */
function usePopup(kind: "menu" | "dialog", { trigger, open, onOpenChange }: Props): Real {
  const code = useSyncExternalStore(follow, loaded);
  const [wanted, setWanted] = useState(false);
  // A trigger that were replaced while it is pressed would take no click.
  const [pressed, setPressed] = useState(false);
  const [focused, setFocused] = useState(false);
  const triggerRef = useRef<HTMLButtonElement>(null);
  const asked = wanted || open === true;
  useEffect(() => {
    if (asked) loadPopups().catch((error: unknown) => complain(error));
  }, [asked]);
  const real = code !== undefined && (asked || !pressed) ? code : undefined;
  const shown = real !== undefined;
  useLayoutEffect(() => {
    if (shown && focused) triggerRef.current?.focus({ preventScroll: true });
  }, [shown, focused]);
  const want = () => {
    setWanted(true);
    onOpenChange?.(true);
  };
  const plain =
    trigger &&
    cloneElement(trigger as ReactElement<TriggerProps>, {
      "aria-haspopup": kind,
      "aria-expanded": false,
      onClick: want,
      onFocus: () => {
        setFocused(true);
        ahead();
      },
      onBlur: () => setFocused(false),
      onKeyDown: (event) => {
        if (kind !== "menu" || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
        event.preventDefault();
        want();
      },
      onPointerDown: () => setPressed(true),
      onPointerEnter: ahead,
    });
  return { popups: real, defaultOpen: wanted, triggerRef, plain };
}

/** Menu, loaded when somebody is about to open it. */
export function Menu(props: ComponentProps<typeof Popups.Menu>) {
  const { popups: code, plain, ...rest } = usePopup("menu", props);
  return code ? <code.Menu {...props} {...rest} /> : plain;
}

/** Popover, likewise. */
export function Popover(props: ComponentProps<typeof Popups.Popover>) {
  const { popups: code, plain, ...rest } = usePopup("dialog", props);
  return code ? <code.Popover {...props} {...rest} /> : plain;
}

export function MenuItem(props: ComponentProps<typeof Popups.MenuItem>) {
  const Part = parts().MenuItem;
  return <Part {...props} />;
}

export function MenuLink(props: ComponentProps<typeof Popups.MenuLink>) {
  const Part = parts().MenuLink;
  return <Part {...props} />;
}

export function MenuSeparator() {
  const Part = parts().MenuSeparator;
  return <Part />;
}

export function MenuHeading(props: ComponentProps<typeof Popups.MenuHeading>) {
  const Part = parts().MenuHeading;
  return <Part {...props} />;
}
