import { QueryClient, queryOptions, useQueries } from "@tanstack/react-query";
import { get, heldBack, Problem } from "./client.ts";
import { bind } from "./person.ts";
import type { Base, BaseSummary, Invitation, Me, Member, Org, Row, RowPage, Workspace } from "./type.ts";

/** The cache of everything that was read from the service, except the grid's rows (see grid/source.ts). */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && Problem.from(error).passing,
    },
    mutations: { retry: false },
  },
});

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => {
    const me = await get<Me>("/me", undefined, signal);
    if (bind(me.id)) return me;
    throw heldBack() ?? new Error("another person is signed in, and requests are not held back");
  },
});

export const orgsQuery = queryOptions({
  queryKey: ["orgs"],
  queryFn: async ({ signal }) => (await get<{ orgs: Org[] }>("/orgs", undefined, signal)).orgs,
});

export const workspacesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ["workspaces", orgId],
    queryFn: async ({ signal }) => (await get<{ workspaces: Workspace[] }>(`/orgs/${orgId}/workspaces`, undefined, signal)).workspaces,
  });

export const basesQuery = queryOptions({
  queryKey: ["bases"],
  queryFn: async ({ signal }) => (await get<{ bases: BaseSummary[] }>("/bases", undefined, signal)).bases,
});

export const baseQuery = (baseId: string) =>
  queryOptions({ queryKey: ["base", baseId], queryFn: ({ signal }) => get<Base>(`/bases/${baseId}`, undefined, signal) });

const mostSchemas = 100; // bases whose tables are looked through for names
const schemaAge = 5 * 60_000; // milliseconds for which a schema is good enough to find a name in

/** The schemas of bases, as far as they have been read: to find tables, fields and views by name or by id. */
export function useSchemas(bases: readonly { id: string }[] | undefined): Base[] {
  return useQueries({
    queries: (bases ?? [])
      .slice(0, mostSchemas)
      .map((base) => ({ ...baseQuery(base.id), staleTime: schemaAge, refetchOnWindowFocus: false })),
    combine: (results) => results.flatMap((result) => (result.data ? [result.data] : [])),
  });
}

/** The members of organizations, as far as they have been read. */
export function useMembersOf(orgs: readonly { id: string }[] | undefined): (Member & { orgId: string })[] {
  return useQueries({
    queries: (orgs ?? []).map((org) => membersQuery(org.id)),
    combine: (results) =>
      results.flatMap((result, index) => {
        const orgId = orgs?.[index]?.id ?? "";
        return (result.data ?? []).map((member) => ({ ...member, orgId }));
      }),
  });
}

export const recordQuery = (recordId: string) =>
  queryOptions({ queryKey: ["record", recordId], queryFn: ({ signal }) => get<Row>(`/records/${recordId}`, undefined, signal) });

export const shareQuery = (baseId: string) =>
  queryOptions({
    queryKey: ["share", baseId],
    queryFn: async ({ signal }) => (await get<{ publicShareId: string | null }>(`/bases/${baseId}/share`, undefined, signal)).publicShareId,
  });

export const membersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ["members", orgId],
    queryFn: async ({ signal }) => (await get<{ members: Member[] }>(`/orgs/${orgId}/members`, undefined, signal)).members,
  });

export const invitationsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ["invitations", orgId],
    queryFn: async ({ signal }) =>
      (await get<{ invitations: Invitation[] }>(`/orgs/${orgId}/invitations`, undefined, signal)).invitations,
  });

export type RecordQuery = { view?: string; search?: string; filters?: unknown; sorts?: unknown; offset?: number; limit?: number; cursor?: string };

/** Reads one page of a table's records. */
export function readPage(tableId: string, query: RecordQuery, signal?: AbortSignal): Promise<RowPage> {
  return get<RowPage>(
    `/tables/${tableId}/records`,
    {
      view: query.view,
      search: query.search || undefined,
      filters: query.filters ? JSON.stringify(query.filters) : undefined,
      sorts: query.sorts ? JSON.stringify(query.sorts) : undefined,
      offset: query.offset,
      cursor: query.cursor,
      limit: query.limit,
    },
    signal,
  );
}

export const pageQuery = (tableId: string, query: RecordQuery) =>
  queryOptions({ queryKey: ["records", tableId, query], queryFn: ({ signal }) => readPage(tableId, query, signal) });
