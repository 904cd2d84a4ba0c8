// The pages of the application, by their addresses. Names after $ stand for ids.

/** Each page, with what may follow the question mark. */
export type Pages = {
  "/": object;
  "/inbox": object;
  "/settings": object;
  "/settings/profile": object;
  "/settings/security": object;
  "/settings/notifications": object;
  /** `rowhouse key create` opens the form for a new key, filled in. */
  "/settings/keys": { create?: string; scopes?: string };
  "/settings/apps": object;
  "/org/$orgId": object;
  "/org/$orgId/members": object;
  "/org/$orgId/groups": object;
  "/org/$orgId/keys": object;
  "/org/$orgId/backups": object;
  "/org/$orgId/audit": object;
  "/org/$orgId/trash": object;
  "/base/$baseId": object;
  "/base/$baseId/api": object;
  "/base/$baseId/changes": object;
  "/base/$baseId/trash": object;
  "/base/$baseId/sql": object;
  "/base/$baseId/webhooks": object;
  "/base/$baseId/dashboard/$dashboardId": object;
  /** `asOf` is the moment as of which the table is shown; now unless given. */
  "/base/$baseId/$tableId": { view?: string; record?: string; comment?: string; asOf?: string };
};

export type Path = keyof Pages;

type Names<P extends string> = P extends `${string}$${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : P extends `${string}$${infer Name}`
    ? Name
    : never;

export type Params<P extends Path> = Record<Names<P>, string>;
export type SomeParams = Partial<Record<Names<Path>, string>>;
export type SomeSearch = Partial<Record<"create" | "scopes" | "view" | "record" | "comment" | "asOf", string>>;

/** A page with its ids and what follows the question mark. */
export type Target<P extends Path> = { to: P; search?: Pages[P] } & ([Names<P>] extends [never]
  ? { params?: undefined }
  : { params: Params<P> });

const parts = (path: string) => path.split("/").filter((part) => part !== "");

/** Returns the path that a pattern stands for. */
function pathOf(to: string, params: SomeParams | undefined): string {
  const filled = parts(to).map((part) =>
    part.startsWith("$") ? encodeURIComponent(params?.[part.slice(1) as keyof SomeParams] ?? "") : part,
  );
  return `/${filled.join("/")}`;
}

/** Returns the address of a page. */
export function addressOf<P extends Path>({ to, params, search }: Target<P>): string {
  const given = Object.entries(search ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return pathOf(to, params) + (query === "" ? "" : `?${query}`);
}

/** Returns the ids that a path has in the places of a pattern, or nothing if it is another path. */
export function matchPath(pattern: string, path: string): SomeParams | undefined {
  const [wanted, given] = [parts(pattern), parts(path)];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const found = given[index] ?? "";
    if (!part.startsWith("$")) {
      if (part !== found) return undefined;
      continue;
    }
    try {
      params[part.slice(1)] = decodeURIComponent(found);
    } catch {
      return undefined; // not an address that this application has written
    }
  }
  return params;
}
