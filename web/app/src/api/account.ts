import type { Scope } from "./type.ts";

/** The resources of the account menu. */

/** What becomes of an organization when the account of a member is deleted; see web/account_delete.go. */
export type OrgFate = { id: string; name: string; fate: "left" | "deleted" | "kept" };
/** The ids of the bases that the person opened last, the latest first, and of the favourites. Some may be gone. */
export type OwnBases = { recent: string[]; favorites: string[] };
export type Profile = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** A BCP 47 tag; empty: the browser's. */
  locale: string;
  /** A day of firstDays; empty: that of the locale. */
  firstDay: string;
  /** A member of languages; empty: the browser's. */
  language: string;
  /** An IANA time zone; empty: that of each base. */
  timeZone: string;
};
export type Session = {
  id: string;
  current: boolean;
  userAgent: string;
  ip?: string;
  createdTime: string;
  lastSeenTime: string;
};
export type Key = {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  orgId: string | null;
  baseIds: string[] | null;
  viewId: string | null;
  createdTime: string;
  lastUsedTime: string | null;
  expiresTime: string | null;
};
/** A member's key that reaches an organization, as its admins see it. */
export type MemberKey = Key & { userId: string; userName: string; email: string; revocable: boolean };
export type NewKey = {
  name: string;
  scopes: Scope[];
  orgId?: string;
  baseIds?: string[];
  viewId?: string;
  expiresTime?: string;
  password?: string;
};
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
