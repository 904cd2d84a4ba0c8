import { QueryClient, queryOptions } from "@tanstack/react-query";
import { Problem, get } from "./client.ts";
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

export const meQuery = queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => get<Me>("/me", undefined, signal) });

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

export type RecordQuery = { view?: string; search?: string; filters?: unknown; sorts?: unknown; offset?: number; limit?: number };

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
      limit: query.limit,
    },
    signal,
  );
}

export const pageQuery = (tableId: string, query: RecordQuery) =>
  queryOptions({ queryKey: ["records", tableId, query], queryFn: ({ signal }) => readPage(tableId, query, signal) });
