import { useQuery } from "@tanstack/react-query";
import { Building2, DatabaseBackup, History, KeyRound, Trash2, Users, UsersRound } from "lucide-react";
import { Link } from "../route/link.tsx";
import { Outlet } from "../route/outlet.tsx";
import { useParams } from "../route/router.ts";
import { orgsQuery } from "../api/query.ts";
import { atLeast } from "../access/role.ts";
import { useOrgText } from "../text/org.ts";
import { SettingsFrame, settingsLink } from "../ui/settings.tsx";

/** What belongs to an organization as a whole. */
export function OrgPage() {
  const t = useOrgText();
  const { orgId } = useParams("/org/$orgId");
  const orgs = useQuery(orgsQuery);
  const org = orgs.data?.find((one) => one.id === orgId);
  return (
    <SettingsFrame
      title={org?.name ?? t.title}
      subtitle={t.title}
      tabs={
        <>
          <Link to="/org/$orgId" params={{ orgId }} exact className={settingsLink}>
            <Building2 size={16} aria-hidden />
            {t.tabs.general}
          </Link>
          {org?.role !== "guest" && (
            <Link to="/org/$orgId/members" params={{ orgId }} className={settingsLink}>
              <Users size={16} aria-hidden />
              {t.tabs.members}
            </Link>
          )}
          {atLeast(org?.role, "admin") && (
            <>
              <Link to="/org/$orgId/groups" params={{ orgId }} className={settingsLink}>
                <UsersRound size={16} aria-hidden />
                {t.tabs.groups}
              </Link>
              <Link to="/org/$orgId/keys" params={{ orgId }} className={settingsLink}>
                <KeyRound size={16} aria-hidden />
                {t.tabs.keys}
              </Link>
              <Link to="/org/$orgId/backups" params={{ orgId }} className={settingsLink}>
                <DatabaseBackup size={16} aria-hidden />
                {t.tabs.backups}
              </Link>
              <Link to="/org/$orgId/audit" params={{ orgId }} className={settingsLink}>
                <History size={16} aria-hidden />
                {t.tabs.audit}
              </Link>
              <Link to="/org/$orgId/trash" params={{ orgId }} className={settingsLink}>
                <Trash2 size={16} aria-hidden />
                {t.tabs.trash}
              </Link>
            </>
          )}
        </>
      }
    >
      <Outlet />
    </SettingsFrame>
  );
}
