import { Link, Outlet } from "@tanstack/react-router";
import { KeyRound, type LucideIcon, Plug, ShieldCheck, UserRound } from "lucide-react";
import { text } from "../text/index.ts";
import { SettingsFrame, settingsLink } from "../ui/settings.tsx";

const t = text.account;
const tabs: { to: string; label: string; icon: LucideIcon }[] = [
  { to: "/settings/profile", label: t.tabs.profile, icon: UserRound },
  { to: "/settings/security", label: t.tabs.security, icon: ShieldCheck },
  { to: "/settings/keys", label: t.tabs.keys, icon: KeyRound },
  { to: "/settings/apps", label: t.tabs.apps, icon: Plug },
];

/** What a person sets for themselves. */
export function AccountPage() {
  return (
    <SettingsFrame
      title={t.title}
      tabs={tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} className={settingsLink}>
          <tab.icon size={16} aria-hidden />
          {tab.label}
        </Link>
      ))}
    >
      <Outlet />
    </SettingsFrame>
  );
}
