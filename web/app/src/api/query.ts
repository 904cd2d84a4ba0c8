import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ColorRule, DeliveryState, Job, RowPage, Table, TrashKind } from "./type.ts";
import { blocked } from "./client.ts";
import { applyPreference } from "../text/translation.ts";
import { key } from "./key.ts";
import { isLive } from "./live.ts";
import {
  describeBase,
  getBaseAccess,
  getField,
  getJob,
  getMe,
  getNotifications,
  getDeletion,
  getProfile,
  getPublicShare,
  getViewShare,
  getRecord,
  getRecordHistory,
  getTablePermissions,
  getWorkspaceAccess,
  listBases,
  listChangeSets,
  countComments,
  listComments,
  listConnectedApps,
  getBackupSettings,
  listBackups,
  listGroups,
  listInbox,
  listJobs,
  listTemplates,
  listInvitations,
  listKeys,
  listMemberKeys,
  listMembers,
  getRetention,
  listDeletedOrgs,
  listOrgs,
  listOwnBases,
  listOrgTrash,
  listSessions,
  listTrash,
  listWebhookDeliveries,
  listDashboards,
  listWebhooks,
  listWorkspaces,
  queryRecords,
} from "./read.ts";
import { bind } from "./person.ts";

export const meQuery = queryOptions({
  queryKey: key.me,
  queryFn: async ({ signal }) => {
    const me = await getMe({}, { signal });
    if (bind(me.id)) return me;
    throw blocked() ?? new Error("another person is signed in, and requests are not paused");
  },
});

export const orgsQuery = queryOptions({
  queryKey: key.orgs,
  queryFn: async ({ signal }) => (await listOrgs({}, { signal })).orgs,
});

/** The deleted organizations that the person owned, latest first. */
export const deletedOrgsQuery = queryOptions({
  queryKey: key.deletedOrgs,
  queryFn: async ({ signal }) => (await listDeletedOrgs({}, { signal })).orgs,
});

/** How long the organization keeps what is deleted. */
export const retentionQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.retention(orgId),
    queryFn: ({ signal }) => getRetention({ orgId }, { signal }),
  });

export const workspacesQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.workspaces(orgId),
    queryFn: async ({ signal }) => (await listWorkspaces({ orgId }, { signal })).workspaces,
  });

export const basesQuery = queryOptions({
  queryKey: key.bases,
  queryFn: async ({ signal }) => (await listBases({}, { signal })).bases,
});

const isOrder = ({ type }: { type: string }) => type === "rank";

/** A table with its manual orders apart from its fields. */
function withOrders(table: Table): Table {
  const orders = table.fields.filter(isOrder).map(({ id }) => id);
  return orders.length > 0 ? { ...table, fields: table.fields.filter((field) => !isOrder(field)), orders } : table;
}

export const baseQuery = (baseId: string) =>
  queryOptions({
    queryKey: key.base(baseId),
    queryFn: async ({ signal }) => {
      const base = await describeBase({ baseId }, { signal });
      return { ...base, tables: base.tables.map(withOrders) };
    },
  });

/** A field with what computes from it, as it is now. */
export const fieldQuery = (fieldId: string) =>
  queryOptions({
    queryKey: key.field(fieldId),
    queryFn: ({ signal }) => getField({ fieldId }, { signal }),
    staleTime: 0,
  });

/** A record, now or as of a moment. */
export const recordQuery = (recordId: string, asOf?: string) =>
  queryOptions({
    queryKey: asOf === undefined ? key.record(recordId) : [...key.record(recordId), asOf],
    queryFn: ({ signal }) => getRecord({ recordId, query: { asOf } }, { signal }),
  });

export const shareQuery = (baseId: string) =>
  queryOptions({
    queryKey: key.share(baseId),
    queryFn: async ({ signal }) => (await getPublicShare({ baseId }, { signal })).publicShareId,
  });

export const viewShareQuery = (viewId: string) =>
  queryOptions({ queryKey: key.viewShare(viewId), queryFn: ({ signal }) => getViewShare({ viewId }, { signal }) });

/** Who has what in a base. */
export const accessQuery = (baseId: string) =>
  queryOptions({
    queryKey: key.access(baseId),
    queryFn: ({ signal }) => getBaseAccess({ baseId }, { signal }),
    staleTime: 0,
  });

/** What a workspace gives in all of its bases. */
export const workspaceAccessQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: key.workspaceAccess(workspaceId),
    queryFn: ({ signal }) => getWorkspaceAccess({ workspaceId }, { signal }),
    staleTime: 0,
  });

export const permissionsQuery = (tableId: string) =>
  queryOptions({
    queryKey: key.permissions(tableId),
    queryFn: ({ signal }) => getTablePermissions({ tableId }, { signal }),
    staleTime: 0,
  });

export const groupsQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.groups(orgId),
    queryFn: async ({ signal }) => (await listGroups({ orgId }, { signal })).groups,
    staleTime: 0,
  });

export const backupSettingsQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.backupSettings(orgId),
    queryFn: ({ signal }) => getBackupSettings({ orgId }, { signal }),
    staleTime: 0,
  });

/** How often backups are looked at while one runs, in milliseconds. */
const lookForBackups = 2000;

export const backupsQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: key.backups(orgId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      listBackups({ orgId, query: { cursor, limit: pageOfChanges } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.backups.some((one) => one.state === "running")) && lookForBackups,
    staleTime: 0,
  });

export const membersQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.members(orgId),
    queryFn: async ({ signal }) => (await listMembers({ orgId }, { signal })).members,
  });

export const invitationsQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.invitations(orgId),
    queryFn: async ({ signal }) => (await listInvitations({ orgId }, { signal })).invitations,
  });

export type RecordQuery = {
  view?: string;
  search?: string;
  filters?: unknown;
  sorts?: unknown;
  offset?: number;
  limit?: number;
  cursor?: string;
  /** The moment (RFC 3339) as of which the records are read; now unless given. */
  asOf?: string;
  /** The view whose rules give the records colours, and the rules as they are saved. */
  colorsOf?: { view: string; rules: ColorRule[] };
};

/** Reads one page of a table's records. */
export function readPage(tableId: string, query: RecordQuery, signal?: AbortSignal): Promise<RowPage> {
  return queryRecords(
    {
      tableId,
      query: {
        view: query.view,
        search: query.search || undefined,
        filters: query.filters ? JSON.stringify(query.filters) : undefined,
        sorts: query.sorts ? JSON.stringify(query.sorts) : undefined,
        offset: query.offset,
        cursor: query.cursor,
        limit: query.limit,
        asOf: query.asOf,
        colorsOf: query.colorsOf?.view,
      },
    },
    { signal },
  );
}

export const pageQuery = (tableId: string, query: RecordQuery) =>
  queryOptions({
    queryKey: [...key.records(tableId), query],
    queryFn: ({ signal }) => readPage(tableId, query, signal),
  });

const pageOfChanges = 50;

/** The changes of a record, newest first. */
export const historyQuery = (recordId: string) =>
  infiniteQueryOptions({
    queryKey: key.history(recordId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      getRecordHistory({ recordId, query: { cursor, limit: pageOfChanges, detail: "full" } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  });

export type ChangeFilter = { person?: string; credential?: string; table?: string };

/** The change sets of a base, newest first. */
export const changesQuery = (baseId: string, filter: ChangeFilter) =>
  infiniteQueryOptions({
    queryKey: [...key.changes(baseId), "list", filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      listChangeSets({ baseId, query: { ...filter, cursor, limit: pageOfChanges, detail: "full" } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  });

export const trashQuery = (baseId: string, kind: TrashKind | undefined) =>
  infiniteQueryOptions({
    queryKey: [...key.trash(baseId), kind],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      listTrash({ baseId, query: { kinds: kind && [kind], cursor, limit: pageOfChanges } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  });

/** The deleted bases of an organization, latest first. */
export const trashedBasesQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: key.trashedBases(orgId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      listOrgTrash({ orgId, query: { kinds: ["base"], cursor, limit: pageOfChanges } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  });

export const dashboardsQuery = (baseId: string) =>
  queryOptions({
    queryKey: key.dashboards(baseId),
    queryFn: async ({ signal }) => (await listDashboards({ baseId }, { signal })).dashboards,
  });

/**
 * How often an open list of webhooks or deliveries is read again, because attempts continue
 * meanwhile.
 */
const lookAgain = 5000;

export const webhooksQuery = (baseId: string) =>
  queryOptions({
    queryKey: key.webhooks(baseId),
    queryFn: async ({ signal }) => (await listWebhooks({ baseId }, { signal })).webhooks,
    staleTime: 0,
    refetchInterval: lookAgain,
  });

/** Reads a list again at an interval while only its first page is shown. */
const whileOnePage = (interval: number) => (query: { state: { data?: { pages: unknown[] } } }) =>
  (query.state.data?.pages.length ?? 0) > 1 ? false : interval;

/** The deliveries of a webhook, newest first. */
export const deliveriesQuery = (baseId: string, webhookId: string, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...key.deliveries(webhookId), state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      listWebhookDeliveries({ baseId, webhookId, query: { state, cursor, limit: pageOfChanges } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
    refetchInterval: whileOnePage(lookAgain),
  });

/** The newest deliveries, read again while more of them are shown. */
export const newestDeliveriesQuery = (baseId: string, webhookId: string, state: DeliveryState | undefined) =>
  queryOptions({
    queryKey: [...key.deliveries(webhookId), state, "newest"],
    queryFn: async ({ signal }) => {
      const query = { state, limit: pageOfChanges };
      return (await listWebhookDeliveries({ baseId, webhookId, query }, { signal })).deliveries;
    },
    staleTime: 0,
    refetchInterval: lookAgain,
  });

const pageOfComments = 100;
const lookForNotices = 30_000;

/** The comments on a record, the latest thread first. Others write meanwhile (see comment/poll.ts). */
export const commentsQuery = (recordId: string) =>
  infiniteQueryOptions({
    queryKey: key.comments(recordId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      listComments({ recordId, query: { cursor, limit: pageOfComments } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

/**
 * How many comments records of a table have, at most 100 records; without records, whether any
 * record of the table has comments.
 */
export const commentCountsQuery = (tableId: string, records: string[]) =>
  queryOptions({
    queryKey: [...key.commentCounts(tableId), records.join()],
    queryFn: ({ signal }) => countComments({ tableId, query: { records } }, { signal }),
  });

/** The person's notifications, the latest first. */
/**
 * How often the jobs are read in milliseconds: while one of them has not ended, without and with a live stream, whose
 * events of jobs may be lost, and otherwise.
 */
const jobPace = { working: () => (isLive() ? 10_000 : 1000), idle: 60_000 };

const hasEnded = (job: Job) => job.endedAt !== null;

/** The latest jobs of an organization that the person may see. */
export const jobsQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...key.jobs, orgId],
    queryFn: async ({ signal }) => (await listJobs({ orgId, query: { limit: 20 } }, { signal })).jobs,
    refetchInterval: ({ state }) => ((state.data ?? []).every(hasEnded) ? jobPace.idle : jobPace.working()),
  });

/** One job, until it has ended. */
export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: [...key.jobs, "one", jobId],
    queryFn: ({ signal }) => getJob({ jobId }, { signal }),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : jobPace.working()),
  });

/** The templates of bases, which change with the service. */
export const templatesQuery = queryOptions({
  queryKey: key.templates,
  queryFn: async ({ signal }) => (await listTemplates({}, { signal })).templates,
  staleTime: Infinity,
});

export const inboxQuery = (unread: boolean) =>
  infiniteQueryOptions({
    queryKey: [...key.inbox, unread],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      listInbox({ query: { unread: unread || undefined, cursor, limit: pageOfChanges } }, { signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: lookForNotices,
  });

/** How many items of the inbox the person has not read, at most 100. */
export const unreadQuery = queryOptions({
  queryKey: [...key.inbox, "count"],
  queryFn: async ({ signal }) => (await listInbox({ query: { limit: 1 } }, { signal })).unread,
  refetchInterval: lookForNotices,
});

export const notificationsQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.notifications(orgId),
    queryFn: ({ signal }) => getNotifications({ orgId }, { signal }),
  });

export const profileQuery = queryOptions({
  queryKey: key.profile,
  queryFn: async ({ signal }) => {
    const profile = await getProfile({}, { signal });
    await applyPreference(profile);
    return profile;
  },
});
/** The bases that the person opened last, and the favourites. */
export const ownBasesQuery = queryOptions({
  queryKey: key.ownBases,
  queryFn: ({ signal }) => listOwnBases({}, { signal }),
});
/** What becomes of the person's organizations when the account is deleted. */
export const deletionQuery = queryOptions({
  queryKey: key.deletion,
  queryFn: async ({ signal }) => (await getDeletion({}, { signal })).organizations,
  staleTime: 0,
});
export const sessionsQuery = queryOptions({
  queryKey: key.sessions,
  queryFn: async ({ signal }) => (await listSessions({}, { signal })).sessions,
});
export const keysQuery = queryOptions({
  queryKey: key.keys,
  queryFn: async ({ signal }) => (await listKeys({}, { signal })).keys,
});
export const memberKeysQuery = (orgId: string) =>
  queryOptions({
    queryKey: key.memberKeys(orgId),
    queryFn: async ({ signal }) => (await listMemberKeys({ orgId }, { signal })).keys,
  });
export const appsQuery = queryOptions({
  queryKey: key.connectedApps,
  queryFn: async ({ signal }) => (await listConnectedApps({}, { signal })).apps,
});
