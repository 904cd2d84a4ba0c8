import { queryOptions } from "@tanstack/react-query";
import { type Problem, send } from "./client.ts";
import type { Scope } from "./type.ts";

/** The account menu's own endpoints, beside /api/v1: they take the session and nothing else. */

export type Profile = { id: string; name: string; email: string; emailVerified: boolean };
export type Session = { id: string; current: boolean; userAgent: string; ip?: string; createdTime: string; lastSeenTime: string };
export type Key = {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  orgId: string | null;
  baseIds: string[] | null;
  createdTime: string;
  lastUsedTime: string | null;
  expiresTime: string | null;
};
/** A member's key that reaches an organization, as its admins see it. */
export type MemberKey = Key & { userId: string; userName: string; email: string; revocable: boolean };
export type NewKey = { name: string; scopes: Scope[]; orgId?: string; baseIds?: string[]; expiresTime?: string; password?: string };
export type CreatedKey = { key: Key; value: string };
export type ConnectedApp = {
  id: string;
  clientName: string;
  clientId: string;
  domain?: string; // whose owner confirms that the application is its own; absent when nobody does
  scopes: Scope[];
  firstAuthorizedTime: string;
  lastUsedTime: string | null;
};

const root = "/account/api";

export const profileQuery = queryOptions({
  queryKey: ["account", "profile"],
  queryFn: ({ signal }) => send<Profile>("GET", `${root}/profile`, { signal }),
});
export const sessionsQuery = queryOptions({
  queryKey: ["account", "sessions"],
  queryFn: async ({ signal }) => (await send<{ sessions: Session[] }>("GET", `${root}/sessions`, { signal })).sessions,
});
export const keysQuery = queryOptions({
  queryKey: ["account", "keys"],
  queryFn: async ({ signal }) => (await send<{ keys: Key[] }>("GET", `${root}/keys`, { signal })).keys,
});
export const orgKeysQuery = (orgId: string) =>
  queryOptions({
    queryKey: ["account", "org", orgId, "keys"],
    queryFn: async ({ signal }) => (await send<{ keys: MemberKey[] }>("GET", `${root}/orgs/${orgId}/keys`, { signal })).keys,
  });
export const appsQuery = queryOptions({
  queryKey: ["account", "apps"],
  queryFn: async ({ signal }) => (await send<{ apps: ConnectedApp[] }>("GET", `${root}/apps`, { signal })).apps,
});

export const saveProfile = (body: { name: string }) => send<Profile>("PATCH", `${root}/profile`, { body });
export const resendVerification = () => send<void>("POST", `${root}/verification`, { body: {} });
export const changePassword = (body: { currentPassword: string; newPassword: string }) =>
  send<void>("POST", `${root}/password`, { body });
export const endSession = (id: string) => send<void>("DELETE", `${root}/sessions/${id}`);
export const endOtherSessions = () => send<void>("DELETE", `${root}/sessions`);
export const createKey = (body: NewKey) => send<CreatedKey>("POST", `${root}/keys`, { body });
export const revokeKey = (id: string) => send<void>("DELETE", `${root}/keys/${id}`);
export const revokeOrgKey = (orgId: string, id: string) => send<void>("DELETE", `${root}/orgs/${orgId}/keys/${id}`);
export const rotateKey = (id: string, overlapSeconds: number, password?: string) =>
  send<CreatedKey>("POST", `${root}/keys/${id}/rotate`, { body: { overlapSeconds, password } });

/** What the service says of the password: for a key without end it asks for it again, some time after signing in. */
export const passwordProblem = (problem: Problem) => problem.items.find((item) => item.path === "password")?.message;
export const revokeApp = (id: string) => send<void>("DELETE", `${root}/apps/${id}`);
