import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { usePath } from "../route/router.ts";
import { Outlet } from "../route/outlet.tsx";
import { isLost } from "../api/lost.ts";
import { meQuery } from "../api/query.ts";
import { useText } from "../text/index.ts";
import { Failed, Waiting } from "../ui/state.tsx";
import type { Overlay } from "./overlay.ts";
import { PhoneBar } from "./phone.tsx";
import { Rail, Sidebar } from "./sidebar.tsx";
import { useShortcut } from "./shortcut.ts";
import { join } from "../ui/class.ts";
import { preloadable } from "../ui/preloadable.tsx";

const Palette = preloadable(async () => (await import("./palette.tsx")).default, null);
const ShortcutList = preloadable(async () => (await import("./shortcutlist.tsx")).default, null);

/** The frame around every page of somebody who is signed in. */
export function Shell() {
  const text = useText();
  const me = useQuery(meQuery);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const inBase = usePath().startsWith("/base/");
  useShortcut("mod+k", () => setOverlay("palette"));
  useShortcut("?", () => setOverlay("shortcut"));
  useEffect(() => {
    document.documentElement.dataset.ready = me.isSuccess ? "true" : "false";
  }, [me.isSuccess]);

  if (me.isPending) return <Waiting />;
  if (isLost(me)) return <Failed error={me.error} retry={() => void me.refetch()} />;
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#content"
        className={join(
          "absolute top-2 left-2 z-60 -translate-y-16 rounded-md bg-",
          "accent px-3 py-2 text-on-accent focus:translate-y-0",
        )}
      >
        {text.shell.skip}
      </a>
      <PhoneBar onOverlay={setOverlay} />
      {inBase ? <Rail onOverlay={setOverlay} /> : <Sidebar className="max-md:hidden" onOverlay={setOverlay} />}
      <main id="content" tabIndex={-1} className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none">
        <Outlet />
      </main>
      <Suspense>
        {overlay === "palette" && <Palette onClose={() => setOverlay(null)} onHelp={() => setOverlay("shortcut")} />}
        {overlay === "shortcut" && <ShortcutList onClose={() => setOverlay(null)} />}
      </Suspense>
    </div>
  );
}
