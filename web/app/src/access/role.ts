import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../api/query.ts";
import { type BaseRole, baseRoles, type Role, roles } from "../api/type.ts";

/** Reports whether a role may do what the other may. */
export function atLeast(role: Role | undefined, other: Role): boolean {
  return role !== undefined && roles.indexOf(role) <= roles.indexOf(other);
}

/** Reports whether a role in a base includes another. One that is not known includes nothing. */
export function atLeastInBase(role: BaseRole, other: BaseRole): boolean {
  return baseRoles.includes(role) && baseRoles.indexOf(role) <= baseRoles.indexOf(other);
}

/** The person's role in an organization, as far as it is known. */
export function useRole(orgId: string | null | undefined): Role | undefined {
  const me = useQuery(meQuery);
  return me.data?.orgs.find((org) => org.orgId === orgId)?.role;
}
