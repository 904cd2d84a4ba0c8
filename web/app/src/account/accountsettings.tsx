import { Bell, KeyRound, type LucideIcon, Plug, ShieldCheck, UserRound } from "lucide-react";
import { Link } from "../route/link.tsx";
import { Outlet } from "../route/outlet.tsx";
import { type AccountText, useAccountText } from "../text/account.ts";
import { SettingsFrame, settingsLink } from "../ui/settings.tsx";

type Tab = "profile" | "security" | "notifications" | "keys" | "apps";

const tabs: { to: `/settings/${Tab}`; label: (t: AccountText) => string; icon: LucideIcon }[] = [
  { to: "/settings/profile", label: (t) => t.tabs.profile, icon: UserRound },
  { to: "/settings/security", label: (t) => t.tabs.security, icon: ShieldCheck },
  { to: "/settings/notifications", label: (t) => t.tabs.notifications, icon: Bell },
  { to: "/settings/keys", label: (t) => t.tabs.keys, icon: KeyRound },
  { to: "/settings/apps", label: (t) => t.tabs.apps, icon: Plug },
];

/** What a person sets for themselves. */
export function AccountPage() {
  const t = useAccountText();
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
