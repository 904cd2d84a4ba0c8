import { Dialog } from "@base-ui/react/dialog";
import { Link, useRouterState } from "@tanstack/react-router";
import { Menu, Search } from "lucide-react";
import { useState } from "react";
import { text } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";
import { Sidebar } from "./sidebar.tsx";
import type { Overlay } from "./shell.tsx";

/** The bar on top of a narrow window, with the navigation in a drawer. */
export function PhoneBar({ onOverlay }: { onOverlay: (overlay: Overlay) => void }) {
  const [open, setOpen] = useState(false);
  // Keyed by the path, so that following a link closes the drawer.
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <div key={path} className="flex h-12 shrink-0 items-center gap-1 border-b border-line bg-sunken px-2 md:hidden">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger render={<IconButton label={text.shell.open} size="lg" />}>
          <Menu size={19} aria-hidden />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay" />
          <Dialog.Popup aria-label={text.shell.navigation} className="fixed inset-y-0 left-0 z-50 outline-none">
            <Sidebar
              onOverlay={(overlay) => {
                setOpen(false);
                onOverlay(overlay);
              }}
            />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <Link to="/" className="flex flex-1 items-center gap-2 font-[650]">
        <Mark size={22} />
        {text.name}
      </Link>
      <IconButton label={text.shell.searchShort} size="lg" onClick={() => onOverlay("palette")}>
        <Search size={18} aria-hidden />
      </IconButton>
    </div>
  );
}
