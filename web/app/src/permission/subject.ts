import { useQuery } from "@tanstack/react-query";
import { groupsQuery, membersQuery } from "../api/query.ts";
import type { Role } from "../api/type.ts";

/** A person or a group, to whom something is given. */
export type Subject = { id: string; name: string } & (
  | { kind: "person"; email: string; role: Role }
  | { kind: "group"; members: string[] }
);

/** The members and groups of an organization, as far as they could be read. */
export function useSubjects(orgId: string | null): Subject[] {
  const people = useQuery({ ...membersQuery(orgId ?? ""), enabled: orgId !== null });
  const groups = useQuery({ ...groupsQuery(orgId ?? ""), enabled: orgId !== null });
  return [
    ...(groups.data ?? []).map(({ id, name, members }): Subject => ({ kind: "group", id, name, members })),
    ...(people.data ?? []).map(
      ({ userId, name, email, role }): Subject => ({ kind: "person", id: userId, name, email, role }),
    ),
  ];
}
