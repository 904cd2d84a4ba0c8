import { type ButtonHTMLAttributes, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from "react";

/**
 * Where a menu whose code is loaded on demand opens, and whether it is open; to be given to Menu.
 */
export type MenuPlace = { open: boolean; anchor: Element | null; onOpenChange: (open: boolean, event?: Event) => void };

type Props = {
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  /** Begins to load the menu; called when somebody is about to open it. */
  preload: () => void;
  children: (place: MenuPlace) => ReactNode;
};

/**
 * A button whose menu, and all that menus are made of, is loaded when it is first wanted: for menus
 * on the first page.
 */
export function LazyMenu({ trigger, preload, children }: Props) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [open, setOpen] = useState(false);
  const onOpenChange = (next: boolean, event?: Event) => {
    // A press on the button closes the menu by the button's own click, which comes after this.
    if (!next && event?.type !== "keydown" && event?.target instanceof Node && anchor?.contains(event.target)) return;
    setOpen(next);
  };
  return (
    <>
      {cloneElement(trigger, {
        "aria-haspopup": "menu",
        "aria-expanded": open,
        onPointerEnter: preload,
        onFocus: preload,
        onClick: (event) => {
          setAnchor(event.currentTarget);
          setOpen(!open);
        },
      })}
      <Suspense>{anchor && children({ open, anchor, onOpenChange })}</Suspense>
    </>
  );
}
