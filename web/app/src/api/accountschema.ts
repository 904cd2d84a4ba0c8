import type { Preference } from "../locale/locale.ts";
import type {
  ConnectedApp,
  CreatedKey,
  Key,
  MemberKey,
  NewKey,
  OrgFate,
  OwnBases,
  Profile,
  Session,
} from "./account.ts";

/**
 * The account menu's own endpoints, next to /api/v1, in the form of schema.ts. They take only the
 * session as credential, and are in no OpenAPI document.
 */

type Operation<Answer, Path = undefined, Body = undefined> = {
  parameters: { path: Path; query?: never };
  requestBody: Body extends undefined ? undefined : { content: { "application/json": Body } };
  responses: { 200: { content: { "application/json": Answer } } };
};

export interface accountOperations {
  get_profile: Operation<Profile>;
  update_profile: Operation<Profile, undefined, { name?: string } & Partial<Preference>>;
  resend_verification: Operation<void, undefined, Record<string, never>>;
  list_own_bases: Operation<OwnBases>;
  open_base: Operation<void, { baseId: string }>;
  mark_base: Operation<void, { baseId: string }>;
  unmark_base: Operation<void, { baseId: string }>;
  get_deletion: Operation<{ organizations: OrgFate[] }>;
  delete_account: Operation<void, undefined, { password: string }>;
  change_email: Operation<void, undefined, { email: string; password: string }>;
  change_password: Operation<void, undefined, { currentPassword: string; newPassword: string }>;
  list_sessions: Operation<{ sessions: Session[] }>;
  end_session: Operation<void, { sessionId: string }>;
  end_other_sessions: Operation<void>;
  list_keys: Operation<{ keys: Key[] }>;
  create_key: Operation<CreatedKey, undefined, NewKey>;
  revoke_key: Operation<void, { keyId: string }>;
  rotate_key: Operation<CreatedKey, { keyId: string }, { overlapSeconds: number; password?: string }>;
  list_member_keys: Operation<{ keys: MemberKey[] }, { orgId: string }>;
  revoke_member_key: Operation<void, { orgId: string; keyId: string }>;
  list_connected_apps: Operation<{ apps: ConnectedApp[] }>;
  revoke_connected_app: Operation<void, { appId: string }>;
}

export interface accountPaths {
  "/account/api/profile": { get: accountOperations["get_profile"]; patch: accountOperations["update_profile"] };
  "/account/api/verification": { post: accountOperations["resend_verification"] };
  "/account/api/bases": { get: accountOperations["list_own_bases"] };
  "/account/api/bases/{baseId}/opened": { put: accountOperations["open_base"] };
  "/account/api/bases/{baseId}/favorite": {
    put: accountOperations["mark_base"];
    delete: accountOperations["unmark_base"];
  };
  "/account/api/deletion": {
    get: accountOperations["get_deletion"];
    post: accountOperations["delete_account"];
  };
  "/account/api/email": { post: accountOperations["change_email"] };
  "/account/api/password": { post: accountOperations["change_password"] };
  "/account/api/sessions": { get: accountOperations["list_sessions"]; delete: accountOperations["end_other_sessions"] };
  "/account/api/sessions/{sessionId}": { delete: accountOperations["end_session"] };
  "/account/api/keys": { get: accountOperations["list_keys"]; post: accountOperations["create_key"] };
  "/account/api/keys/{keyId}": { delete: accountOperations["revoke_key"] };
  "/account/api/keys/{keyId}/rotate": { post: accountOperations["rotate_key"] };
  "/account/api/orgs/{orgId}/keys": { get: accountOperations["list_member_keys"] };
  "/account/api/orgs/{orgId}/keys/{keyId}": { delete: accountOperations["revoke_member_key"] };
  "/account/api/apps": { get: accountOperations["list_connected_apps"] };
  "/account/api/apps/{appId}": { delete: accountOperations["revoke_connected_app"] };
}
