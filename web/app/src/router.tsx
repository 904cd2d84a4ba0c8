import { cache } from "./api/cache.ts";
import { baseQuery, basesQuery, meQuery, orgsQuery, profileQuery } from "./api/query.ts";
import { remembers } from "./locale/locale.ts";
import type { Path } from "./route/address.ts";
import type { Route } from "./route/router.ts";
import { Missing } from "./shell/failure.tsx";
import { Root } from "./shell/root.tsx";
import { Shell } from "./shell/shell.tsx";
import { preloadable } from "./ui/preloadable.tsx";

const page = (path: Path, load: Parameters<typeof preloadable>[0]): Route => ({ path, component: preloadable(load) });

// Loaders begin what the pages ask for, so that data and code are on their way together, and wait
// for what a page cannot be drawn without, so that it is drawn once. Pages handle failures: they
// ask again and show the error.

const home = page("/", async () => (await import("./home/home.tsx")).HomePage);
const inbox = page("/inbox", async () => (await import("./comment/inbox.tsx")).InboxPage);

const table: Route = {
  path: "/base/$baseId/$tableId",
  load: async ({ params: { baseId = "", tableId = "" }, search, cause }) => {
    void import("./view/grid.tsx"); // what most tables are opened in
    const { loadTable, shownSearch } = await import("./base/table.tsx");
    if (cause === "enter") await loadTable(baseId, tableId, shownSearch(search));
  },
  component: preloadable(async () => (await import("./base/table.tsx")).TablePage),
};

const base: Route = {
  load: ({ params: { baseId = "" } }) => cache.prefetchQuery(baseQuery(baseId)),
  component: preloadable(async () => (await import("./base/base.tsx")).BasePage),
  children: [
    page("/base/$baseId", async () => (await import("./base/start.tsx")).BaseStart),
    page("/base/$baseId/api", async () => (await import("./base/code/code.tsx")).CodePage),
    page("/base/$baseId/changes", async () => (await import("./change/changelist.tsx")).ChangeSetList),
    page("/base/$baseId/trash", async () => (await import("./change/trash.tsx")).TrashPage),
    page("/base/$baseId/sql", async () => (await import("./sql/sqlpage.tsx")).SqlPage),
    page("/base/$baseId/webhooks", async () => (await import("./webhook/webhooklist.tsx")).WebhookPage),
    page("/base/$baseId/dashboard/$dashboardId", async () => (await import("./dashboard/page.tsx")).DashboardPage),
    table,
  ],
};

const settings: Route = {
  component: preloadable(async () => (await import("./account/accountsettings.tsx")).AccountPage),
  children: [
    { path: "/settings", redirect: "/settings/profile", component: Missing },
    page("/settings/profile", async () => (await import("./account/profile.tsx")).ProfilePage),
    page("/settings/security", async () => (await import("./account/security.tsx")).SecurityPage),
    page("/settings/notifications", async () => (await import("./account/notification.tsx")).NotificationPage),
    page("/settings/keys", async () => (await import("./account/apikey.tsx")).KeyPage),
    page("/settings/apps", async () => (await import("./account/connectedapp.tsx")).AppPage),
  ],
};

const org: Route = {
  component: preloadable(async () => (await import("./org/orgsettings.tsx")).OrgPage),
  children: [
    page("/org/$orgId", async () => (await import("./org/general.tsx")).OrgGeneral),
    page("/org/$orgId/members", async () => (await import("./org/member.tsx")).OrgMembers),
    page("/org/$orgId/groups", async () => (await import("./org/group.tsx")).OrgGroups),
    page("/org/$orgId/keys", async () => (await import("./org/memberkey.tsx")).OrgKeys),
    page("/org/$orgId/backups", async () => (await import("./org/backup.tsx")).OrgBackups),
    page("/org/$orgId/audit", async () => (await import("./org/audit.tsx")).OrgAudit),
    page("/org/$orgId/trash", async () => (await import("./org/trash.tsx")).OrgTrash),
  ],
};

const shell: Route = {
  load: async () => {
    const profile = cache.prefetchQuery(profileQuery);
    void cache.prefetchQuery(orgsQuery);
    void cache.prefetchQuery(basesQuery);
    await cache.prefetchQuery(meQuery);
    const me = cache.getQueryData(meQuery.queryKey);
    if (me && !remembers(me.id)) await profile; // times would stand, and be read, by the clock of somebody else
  },
  component: Shell,
  children: [home, inbox, base, settings, org],
};

/** Every page of the application. */
export const routes: Route = { component: Root, children: [shell] };

/** What an address shows that leads nowhere. */
export const missing: Route = { component: Missing };
