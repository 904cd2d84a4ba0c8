import { Menu as Base } from "@base-ui/react/menu";
import { Popover as BasePopover } from "@base-ui/react/popover";
import type { ReactElement, ReactNode, Ref } from "react";
import { join } from "./class.ts";
import { useDiscardQuestion } from "./unsaved.tsx";

const popupClass = "pop z-50 rounded-lg border border-line bg-surface shadow-high outline-none";

type Side = "top" | "bottom" | "left" | "right";
type Align = "start" | "center" | "end";
/** What a popup is placed next to: an element, or a rectangle in the window. */
export type Anchor = Element | { getBoundingClientRect: () => DOMRect };

type MenuProps = {
  trigger?: ReactElement;
  triggerRef?: Ref<HTMLButtonElement>;
  open?: boolean;
  /** Whether it is open at first, when nothing else says whether it is. */
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean, event?: Event) => void;
  /** Called when it is gone, and the focus is where it was before. */
  onClosed?: () => void;
  anchor?: Anchor | null;
  side?: Side;
  align?: Align;
  className?: string;
  children: ReactNode;
};

export function Menu({
  trigger,
  triggerRef,
  open,
  defaultOpen,
  onOpenChange,
  onClosed,
  anchor,
  side = "bottom",
  align = "start",
  className,
  children,
}: MenuProps) {
  return (
    <Base.Root
      open={open}
      defaultOpen={defaultOpen}
      onOpenChange={(next, details) => onOpenChange?.(next, details.event)}
      onOpenChangeComplete={(next) => !next && onClosed?.()}
      modal={false}
    >
      {trigger && <Base.Trigger ref={triggerRef} render={trigger} />}
      <Base.Portal>
        <Base.Positioner
          anchor={anchor ?? undefined}
          side={side}
          align={align}
          sideOffset={5}
          className="z-50"
          collisionPadding={8}
        >
          <Base.Popup
            className={join(popupClass, "max-h-(--available-height) min-w-48 overflow-y-auto p-1", className)}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type ItemProps = {
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  hint?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
};

const itemClass = join(
  "flex h-8 w-full items-center gap-2.5 rounded-md px-2.5 outline-none select-none",
  "data-[highlighted]:bg-hover data-[disabled]:opacity-45",
);

export function MenuItem({ icon, danger, disabled, hint, onSelect, children }: ItemProps) {
  return (
    <Base.Item disabled={disabled} onClick={onSelect} className={join(itemClass, danger && "text-danger")}>
      {icon && <span className={join("grid size-4 shrink-0 place-items-center", !danger && "text-muted")}>{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="pl-4 text-[12.5px] text-faint">{hint}</span>}
    </Base.Item>
  );
}

export function MenuLink({ icon, render, children }: { icon?: ReactNode; render: ReactElement; children: ReactNode }) {
  return (
    <Base.Item render={render} className={itemClass}>
      {icon && <span className="grid size-4 shrink-0 place-items-center text-muted">{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-[12px] font-[560] text-faint">{children}</Base.GroupLabel>
    </Base.Group>
  );
}

type PopoverProps = MenuProps & {
  label: string;
  /** Set for what changes its size while it is open: it moves no further than it has to. */
  steady?: boolean;
};

const moveLittle = { side: "shift", align: "shift", fallbackAxisSide: "none" } as const;

/** A small panel next to its trigger for controls that are not a menu. */
export function Popover({
  trigger,
  triggerRef,
  open,
  defaultOpen,
  onOpenChange,
  anchor,
  side = "bottom",
  align = "start",
  className,
  label,
  steady,
  children,
}: PopoverProps) {
  const question = useDiscardQuestion(() => onOpenChange?.(false));
  return (
    <BasePopover.Root
      open={open}
      defaultOpen={defaultOpen}
      onOpenChange={(next, details) => (next || question.mayClose(details)) && onOpenChange?.(next)}
    >
      {trigger && <BasePopover.Trigger ref={triggerRef} render={trigger} />}
      <BasePopover.Portal>
        <BasePopover.Positioner
          anchor={anchor ?? undefined}
          side={side}
          align={align}
          sideOffset={6}
          className="z-50"
          collisionPadding={8}
          collisionAvoidance={steady ? moveLittle : undefined}
        >
          <BasePopover.Popup
            aria-label={label}
            className={join(
              popupClass,
              "max-h-(--available-height) max-w-[calc(100vw-16px)] overflow-y-auto",
              className,
            )}
          >
            {question.around(children)}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
