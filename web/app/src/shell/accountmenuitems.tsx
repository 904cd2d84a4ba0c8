import { BookOpen, Check, CircleHelp, Keyboard, KeyRound, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { Link } from "../route/link.tsx";
import { useText } from "../text/index.ts";
import type { MenuPlace } from "../ui/lazymenu.tsx";
import { Menu, MenuHeading, MenuItem, MenuLink, MenuSeparator } from "../ui/menu.tsx";
import { signOut } from "./session.ts";
import type { Overlay } from "./overlay.ts";
import { chooseTheme, type Theme, useTheme } from "../ui/theme.ts";

const themeIcon: Record<Theme, typeof Sun> = { light: Sun, dark: Moon, system: Monitor };

/** What the account menu holds. */
export default function AccountMenuItems({
  place,
  onOverlay,
}: {
  place: MenuPlace;
  onOverlay: (overlay: Overlay) => void;
}) {
  const text = useText();
  const { chosen } = useTheme();
  return (
    <Menu {...place} side="top" align="start" className="w-60">
      <MenuLink icon={<UserRound size={15} />} render={<Link to="/settings/profile" />}>
        {text.shell.settings}
      </MenuLink>
      <MenuLink icon={<KeyRound size={15} />} render={<Link to="/settings/keys" />}>
        {text.shell.keys}
      </MenuLink>
      <MenuLink icon={<BookOpen size={15} />} render={<a href="/docs" />}>
        {text.shell.reference}
      </MenuLink>
      <MenuLink icon={<CircleHelp size={15} />} render={<a href="/help/" />}>
        {text.shell.help}
      </MenuLink>
      <MenuItem icon={<Keyboard size={15} />} hint="?" onSelect={() => onOverlay("shortcut")}>
        {text.shell.shortcuts}
      </MenuItem>
      <MenuSeparator />
      <MenuHeading>{text.shell.theme}</MenuHeading>
      {(["light", "dark", "system"] as const).map((theme) => {
        const Symbol = themeIcon[theme];
        return (
          <MenuItem
            key={theme}
            icon={<Symbol size={15} />}
            hint={chosen === theme ? <Check size={15} /> : undefined}
            onSelect={() => chooseTheme(theme)}
          >
            {text.shell[theme]}
          </MenuItem>
        );
      })}
      <MenuSeparator />
      <MenuItem icon={<LogOut size={15} />} onSelect={() => void signOut()}>
        {text.shell.signOut}
      </MenuItem>
    </Menu>
  );
}
