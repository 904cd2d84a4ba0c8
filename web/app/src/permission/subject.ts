import { useQuery } from "@tanstack/react-query";
import { groupsQuery, membersQuery } from "../api/query.ts";

/** A person or a group, to whom something is given. */
export type Subject = { kind: "person" | "group"; id: string; name: string; email?: string };

/** The members and groups of an organization, as far as they could be read. */
export function useSubjects(orgId: string | null): Subject[] {
  const members = useQuery({ ...membersQuery(orgId ?? ""), enabled: orgId !== null });
  const groups = useQuery({ ...groupsQuery(orgId ?? ""), enabled: orgId !== null });
  return [
    ...(groups.data ?? []).map(({ id, name }): Subject => ({ kind: "group", id, name })),
    ...(members.data ?? []).map(({ userId, name, email }): Subject => ({ kind: "person", id: userId, name, email })),
  ];
}
