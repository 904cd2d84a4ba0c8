import { Link, Outlet } from "@tanstack/react-router";
import { Bell, KeyRound, type LucideIcon, Plug, ShieldCheck, UserRound } from "lucide-react";
import { type Catalogue, useText } from "../text/index.ts";
import { SettingsFrame, settingsLink } from "../ui/settings.tsx";

const tabs: { to: string; label: (t: Catalogue["account"]) => string; icon: LucideIcon }[] = [
  { to: "/settings/profile", label: (t) => t.tabs.profile, icon: UserRound },
  { to: "/settings/security", label: (t) => t.tabs.security, icon: ShieldCheck },
  { to: "/settings/notifications", label: (t) => t.tabs.notifications, icon: Bell },
  { to: "/settings/keys", label: (t) => t.tabs.keys, icon: KeyRound },
  { to: "/settings/apps", label: (t) => t.tabs.apps, icon: Plug },
];

/** What a person sets for themselves. */
export function AccountPage() {
  const t = useText().account;
  return (
    <SettingsFrame
      title={t.title}
      tabs={tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} className={settingsLink}>
          <tab.icon size={16} aria-hidden />
          {tab.label(t)}
        </Link>
      ))}
    >
      <Outlet />
    </SettingsFrame>
  );
}
