const key = "rowhouse.viewAs";

/** A member as whom this tab looks at a base, and which base that is. */
export type ViewAs = { baseId: string; userId: string; name: string };

/** The member as whom this tab reads; undefined for the person of the page. */
export function viewAs(): ViewAs | undefined {
  const kept = sessionStorage.getItem(key);
  return kept === null ? undefined : (JSON.parse(kept) as ViewAs);
}

/** Begins to look at a base as a member. The page is loaded again, so that nothing of it is the person's own. */
export function startViewAs(as: ViewAs) {
  sessionStorage.setItem(key, JSON.stringify(as));
  location.assign(`/base/${as.baseId}`);
}

export function endViewAs() {
  sessionStorage.removeItem(key);
  location.reload();
}
