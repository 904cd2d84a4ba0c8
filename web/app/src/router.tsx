import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { cache } from "./api/cache.ts";
import { baseQuery, basesQuery, meQuery, orgsQuery, profileQuery } from "./api/query.ts";
import type { TableSearch } from "./base/table.tsx";
import { Missing, RouteFailed } from "./shell/failure.tsx";
import { Root } from "./shell/root.tsx";
import { Shell } from "./shell/shell.tsx";
import { Waiting } from "./ui/state.tsx";

const root = createRootRoute({ component: Root, notFoundComponent: Missing });

// Loaders begin what the pages ask for, so that data and code are on their way together, and wait
// for what a page cannot be drawn without, so that it is drawn once. Pages handle failures: they
// ask again and show the error.
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  loader: () => {
    void cache.prefetchQuery(profileQuery);
    void cache.prefetchQuery(orgsQuery);
    void cache.prefetchQuery(basesQuery);
    return cache.prefetchQuery(meQuery);
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("./home/home.tsx"), "HomePage"),
});

const base = createRoute({
  getParentRoute: () => shell,
  path: "/base/$baseId",
  loader: ({ params }) => cache.prefetchQuery(baseQuery(params.baseId)),
  component: lazyRouteComponent(() => import("./base/base.tsx"), "BasePage"),
});

const baseStart = createRoute({
  getParentRoute: () => base,
  path: "/",
  component: lazyRouteComponent(() => import("./base/start.tsx"), "BaseStart"),
});

const baseCode = createRoute({
  getParentRoute: () => base,
  path: "/api",
  component: lazyRouteComponent(() => import("./base/code/code.tsx"), "CodePage"),
});

const baseChanges = createRoute({
  getParentRoute: () => base,
  path: "/changes",
  component: lazyRouteComponent(() => import("./change/changelist.tsx"), "ChangeSetList"),
});
const baseTrash = createRoute({
  getParentRoute: () => base,
  path: "/trash",
  component: lazyRouteComponent(() => import("./change/trash.tsx"), "TrashPage"),
});

const baseSql = createRoute({
  getParentRoute: () => base,
  path: "/sql",
  component: lazyRouteComponent(() => import("./sql/sqlpage.tsx"), "SqlPage"),
});

const baseWebhooks = createRoute({
  getParentRoute: () => base,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./webhook/webhooklist.tsx"), "WebhookPage"),
});

const baseDashboard = createRoute({
  getParentRoute: () => base,
  path: "/dashboard/$dashboardId",
  component: lazyRouteComponent(() => import("./dashboard/page.tsx"), "DashboardPage"),
});

const table = createRoute({
  getParentRoute: () => base,
  path: "/$tableId",
  validateSearch: (search: Record<string, unknown>): TableSearch => ({
    view: typeof search.view === "string" ? search.view : undefined,
    record: typeof search.record === "string" ? search.record : undefined,
    comment: typeof search.comment === "string" ? search.comment : undefined,
    // Without a valid moment in the past, the present is shown.
    asOf: typeof search.asOf === "string" && Date.parse(search.asOf) <= Date.now() ? search.asOf : undefined,
  }),
  loaderDeps: ({ search }) => ({ view: search.view, asOf: search.asOf }),
  loader: async ({ params, deps, cause }) => {
    void import("./view/grid.tsx"); // what most tables are opened in
    const { loadTable } = await import("./base/table.tsx");
    if (cause === "enter") await loadTable(params.baseId, params.tableId, deps);
  },
  staleTime: Infinity,
  component: lazyRouteComponent(() => import("./base/table.tsx"), "TablePage"),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  component: lazyRouteComponent(() => import("./account/accountsettings.tsx"), "AccountPage"),
});

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/profile" });
  },
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: "/profile",
  component: lazyRouteComponent(() => import("./account/profile.tsx"), "ProfilePage"),
});
const security = createRoute({
  getParentRoute: () => settings,
  path: "/security",
  component: lazyRouteComponent(() => import("./account/security.tsx"), "SecurityPage"),
});
/** `rowhouse key create` opens the form for a new key, filled in. */
type KeySearch = { create?: string; scopes?: string };

const keys = createRoute({
  getParentRoute: () => settings,
  path: "/keys",
  validateSearch: (search: Record<string, unknown>): KeySearch => ({
    create: typeof search.create === "string" ? search.create.slice(0, 100) : undefined,
    scopes: typeof search.scopes === "string" ? search.scopes : undefined,
  }),
  component: lazyRouteComponent(() => import("./account/apikey.tsx"), "KeyPage"),
});
const apps = createRoute({
  getParentRoute: () => settings,
  path: "/apps",
  component: lazyRouteComponent(() => import("./account/connectedapp.tsx"), "AppPage"),
});

const notifications = createRoute({
  getParentRoute: () => settings,
  path: "/notifications",
  component: lazyRouteComponent(() => import("./account/notification.tsx"), "NotificationPage"),
});

const inbox = createRoute({
  getParentRoute: () => shell,
  path: "/inbox",
  component: lazyRouteComponent(() => import("./comment/inbox.tsx"), "InboxPage"),
});

const org = createRoute({
  getParentRoute: () => shell,
  path: "/org/$orgId",
  component: lazyRouteComponent(() => import("./org/orgsettings.tsx"), "OrgPage"),
});
const orgStart = createRoute({
  getParentRoute: () => org,
  path: "/",
  component: lazyRouteComponent(() => import("./org/general.tsx"), "OrgGeneral"),
});
const orgMembers = createRoute({
  getParentRoute: () => org,
  path: "/members",
  component: lazyRouteComponent(() => import("./org/member.tsx"), "OrgMembers"),
});
const orgGroups = createRoute({
  getParentRoute: () => org,
  path: "/groups",
  component: lazyRouteComponent(() => import("./org/group.tsx"), "OrgGroups"),
});
const orgKeys = createRoute({
  getParentRoute: () => org,
  path: "/keys",
  component: lazyRouteComponent(() => import("./org/memberkey.tsx"), "OrgKeys"),
});
const orgAudit = createRoute({
  getParentRoute: () => org,
  path: "/audit",
  component: lazyRouteComponent(() => import("./org/audit.tsx"), "OrgAudit"),
});
const orgTrash = createRoute({
  getParentRoute: () => org,
  path: "/trash",
  component: lazyRouteComponent(() => import("./org/trash.tsx"), "OrgTrash"),
});

const tree = root.addChildren([
  shell.addChildren([
    home,
    inbox,
    base.addChildren([baseStart, baseCode, baseChanges, baseTrash, baseSql, baseWebhooks, baseDashboard, table]),
    settings.addChildren([settingsStart, profile, security, notifications, keys, apps]),
    org.addChildren([orgStart, orgMembers, orgGroups, orgKeys, orgAudit, orgTrash]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  defaultPendingComponent: Waiting,
  defaultErrorComponent: RouteFailed,
  defaultNotFoundComponent: Missing,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
