import { useQueries } from "@tanstack/react-query";
import { baseQuery, membersQuery } from "./query.ts";
import type { Base, Member } from "./type.ts";

const maxSchemas = 100; // bases whose tables are searched for names
const schemaAge = 5 * 60_000; // milliseconds for which a schema is good enough to find a name in

/**
 * The schemas of bases, as far as they have been read: to find tables, fields and views by name or
 * by id.
 */
export function useSchemas(bases: readonly { id: string }[] | undefined): Base[] {
  return useQueries({
    queries: (bases ?? [])
      .slice(0, maxSchemas)
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
