import { Menu, Search } from "lucide-react";
import { Suspense, useState } from "react";
import { usePath } from "../route/router.ts";
import { Link } from "../route/link.tsx";
import { InboxIcon, Unread, useUnread } from "../comment/unread.tsx";
import { useText } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";
import type { Overlay } from "./overlay.ts";
import { preloadable } from "../ui/preloadable.tsx";

const Drawer = preloadable(async () => (await import("./drawer.tsx")).default, null);

/** The bar on top of a narrow window, with the navigation in a drawer. */
export function PhoneBar({ onOverlay }: { onOverlay: (overlay: Overlay) => void }) {
  const text = useText();
  const unread = useUnread();
  const path = usePath();
  // The drawer is open for one path, so that following a link closes it.
  const [openAt, setOpenAt] = useState<string>();
  return (
    <div className="flex h-12 shrink-0 items-center gap-1 border-b border-line bg-sunken px-2 md:hidden">
      <IconButton label={text.shell.open} size="lg" aria-haspopup="dialog" onClick={() => setOpenAt(path)}>
        <Menu size={19} aria-hidden />
      </IconButton>
      <Suspense>{openAt === path && <Drawer onClose={() => setOpenAt(undefined)} onOverlay={onOverlay} />}</Suspense>
      <Link to="/" className="flex flex-1 items-center gap-2 font-[650]">
        <Mark size={22} />
        {text.name}
      </Link>
      <Link
        to="/inbox"
        aria-label={text.inbox.open(unread)}
        className="relative grid size-10 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <InboxIcon size={18} />
        <Unread count={unread} badge />
      </Link>
      <IconButton label={text.shell.searchShort} size="lg" onClick={() => onOverlay("palette")}>
        <Search size={18} aria-hidden />
      </IconButton>
    </div>
  );
}
