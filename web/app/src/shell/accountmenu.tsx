import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { meQuery, profileQuery } from "../api/query.ts";
import { useText } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { join } from "../ui/class.ts";
import { LazyMenu } from "../ui/lazymenu.tsx";
import type { Overlay } from "./overlay.ts";

const load = () => import("./accountmenuitems.tsx");
const Items = lazy(load);

/** The person who is signed in, and the menu that opens from there. */
export function AccountMenu({ onOverlay, narrow }: { onOverlay: (overlay: Overlay) => void; narrow?: boolean }) {
  const text = useText();
  const me = useQuery(meQuery);
  const profile = useQuery(profileQuery);
  const name = profile.data?.name ?? text.shell.account;
  return (
    <LazyMenu
      preload={() => void load()}
      trigger={
        <button
          type="button"
          aria-label={narrow ? `${text.shell.account}: ${name}` : undefined}
          className={join(
            "flex items-center gap-2.5 rounded-md text-left hover:bg-hover",
            narrow ? "p-1" : "w-full p-1.5",
          )}
        >
          <Avatar name={name} id={me.data?.id ?? name} size={28} />
          {!narrow && (
            <span className="min-w-0 flex-1">
              <span className="sr-only">{`${text.shell.account}: `}</span>
              <span className="block truncate font-[560]">{name}</span>
              <span className="block truncate text-[12.5px] text-muted">{profile.data?.email}</span>
            </span>
          )}
        </button>
      }
    >
      {(place) => <Items place={place} onOverlay={onOverlay} />}
    </LazyMenu>
  );
}
