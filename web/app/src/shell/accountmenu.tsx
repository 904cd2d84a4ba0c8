import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpen, Check, Keyboard, KeyRound, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { profileQuery } from "../api/account.ts";
import { meQuery } from "../api/query.ts";
import { text } from "../text/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { join } from "../ui/class.ts";
import { Menu, MenuHeading, MenuItem, MenuLink, MenuSeparator } from "../ui/menu.tsx";
import { signOutPath } from "./session.ts";
import type { Overlay } from "./shell.tsx";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const themeIcon: Record<Theme, typeof Sun> = { light: Sun, dark: Moon, system: Monitor };

/** Signing out is a form post, so that it works like the server's own pages and the cookie goes with the answer. */
function signOut() {
  const form = document.createElement("form");
  form.method = "post";
  form.action = signOutPath;
  document.body.append(form);
  form.submit();
}

export function AccountMenu({ onOverlay, narrow }: { onOverlay: (overlay: Overlay) => void; narrow?: boolean }) {
  const me = useQuery(meQuery);
  const profile = useQuery(profileQuery);
  const { chosen } = useTheme();
  const name = profile.data?.name ?? text.shell.account;
  return (
    <Menu
      side="top"
      align="start"
      className="w-60"
      trigger={
        <button
          type="button"
          aria-label={narrow ? `${text.shell.account}: ${name}` : undefined}
          className={join("flex items-center gap-2.5 rounded-md text-left hover:bg-hover", narrow ? "p-1" : "w-full p-1.5")}
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
      <MenuLink icon={<UserRound size={15} />} render={<Link to="/settings/profile" />}>
        {text.shell.settings}
      </MenuLink>
      <MenuLink icon={<KeyRound size={15} />} render={<Link to="/settings/keys" />}>
        {text.shell.keys}
      </MenuLink>
      <MenuLink icon={<BookOpen size={15} />} render={<a href="/docs" />}>
        {text.shell.reference}
      </MenuLink>
      <MenuItem icon={<Keyboard size={15} />} hint="?" onSelect={() => onOverlay("shortcut")}>
        {text.shell.shortcuts}
      </MenuItem>
      <MenuSeparator />
      <MenuHeading>{text.shell.theme}</MenuHeading>
      {(["light", "dark", "system"] as const).map((theme) => {
        const Symbol = themeIcon[theme];
        return (
          <MenuItem key={theme} icon={<Symbol size={15} />} hint={chosen === theme ? <Check size={15} /> : undefined} onSelect={() => chooseTheme(theme)}>
            {text.shell[theme]}
          </MenuItem>
        );
      })}
      <MenuSeparator />
      <MenuItem icon={<LogOut size={15} />} onSelect={signOut}>
        {text.shell.signOut}
      </MenuItem>
    </Menu>
  );
}
