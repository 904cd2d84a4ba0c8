import type { ComponentType } from "react";
import { useSyncExternalStore } from "react";
import { addressOf, matchPath, type Params, type Pages, type Path } from "./address.ts";
import type { SomeParams, SomeSearch, Target } from "./address.ts";

// The pages that an address leads to. What a page needs is loaded before it takes the place of the
// one that is shown, so that it is drawn once.

const patience = 1000; // milliseconds after which a page is shown that says that it is still loading
const stateKey = "rowhouse"; // of the entry of the history

/** A page is entered, stays while what is inside of it changes, or is likely to be entered soon. */
export type Visit = { params: SomeParams; search: SomeSearch; cause: "enter" | "stay" | "preload" };

/** A page, or the frame of several. */
export type Route = {
  /** Of a page, and not of a frame. */
  path?: Path;
  component: ComponentType & { preload?: () => Promise<void> };
  /** Begins what the page asks for, and waits for what it cannot be drawn without. */
  load?: (visit: Visit) => unknown;
  /** Leads to another page instead. */
  redirect?: Path;
  children?: Route[];
};

/** What is shown: the routes from the outermost to the page, and the address that they are shown for. */
export type Shown = { routes: Route[]; path: string; params: SomeParams; search: SomeSearch };

export type EntryState = {
  /** The entry was added when a record was opened, and the table without it stands before it. */
  opened?: boolean;
};
type Entry = { at: number; state: EntryState };
type How = { replace?: boolean; state?: EntryState };

/** Asks whether the page may be left. */
export type Guard = () => Promise<boolean>;

let tree: Route;
let missing: Route;
let shown: Shown = { routes: [], path: "", params: {}, search: {} };
let turn = 0;
let position = 0; // of the entry in the history of this page
let returning: (() => void) | undefined; // set while a refused step back is taken back
const followers = new Set<() => void>();
const guards = new Set<Guard>();

const entry = (): Partial<Entry> => (history.state as Record<string, Entry> | null)?.[stateKey] ?? {};

/** What the entry of the history says about how its page was opened. */
export const entryState = (): EntryState => entry().state ?? {};

/** The address that the browser shows, whose page may be loading still. */
export const currentSearch = (): SomeSearch => Object.fromEntries(new URLSearchParams(location.search));

/** Returns the routes that lead to a path. Those of an unknown one end with that for missing pages. */
function find(path: string): Pick<Shown, "routes" | "params"> {
  const walk = (route: Route, above: Route[]): Pick<Shown, "routes" | "params"> | undefined => {
    const routes = [...above, route];
    const own = route.path && matchPath(route.path, path);
    for (const child of route.children ?? []) {
      const found = walk(child, routes);
      if (found) return found;
    }
    return own && { routes, params: own };
  };
  return walk(tree, []) ?? { routes: [tree, missing], params: {} };
}

const sameParams = (a: SomeParams, b: SomeParams) => JSON.stringify(a) === JSON.stringify(b);

/** Loads what an address shows and is not shown yet. */
async function load({ routes, params, search }: Omit<Shown, "path">, ahead: boolean): Promise<void> {
  const loaded = routes.map(async (route) => {
    const stays = shown.routes.includes(route);
    if (stays && ahead) return;
    const cause = ahead ? "preload" : stays ? "stay" : "enter";
    const inside = route === routes.at(-1) || !stays || !sameParams(params, shown.params);
    await Promise.all([route.component.preload?.(), inside && route.load?.({ params, search, cause })]);
  });
  await Promise.all(loaded);
}

/** Shows what the address of the browser leads to. */
async function show(): Promise<void> {
  const mine = ++turn;
  const { pathname } = location;
  const found = find(pathname);
  const { redirect } = found.routes.at(-1) ?? {};
  if (redirect) {
    history.replaceState(history.state, "", redirect);
    return show();
  }
  const next: Shown = { ...found, path: pathname, search: currentSearch() };
  // A page that cannot be loaded says so itself.
  const ready = load(next, false).catch(() => undefined);
  await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, patience))]);
  if (mine !== turn) return undefined; // another address was gone to meanwhile
  shown = next;
  for (const follower of followers) follower();
  return undefined;
}

/** Asks all who guard the page. */
async function mayLeave(): Promise<boolean> {
  for (const guard of guards) {
    // oxlint-disable-next-line no-await-in-loop -- one question at a time
    if (!(await guard())) return false;
  }
  return true;
}

/** Goes to a page. Resolves when it is shown. */
export async function navigate<P extends Path>(target: Target<P> & How): Promise<void> {
  if (!(await mayLeave())) return;
  const address = addressOf(target);
  // To the address that is shown already leads no new entry.
  const replace = target.replace || address === location.pathname + location.search;
  if (!replace) position++;
  const state = { [stateKey]: { at: position, state: target.state ?? {} } satisfies Entry };
  if (replace) history.replaceState(state, "", address);
  else history.pushState(state, "", address);
  await show();
}

/** Follows a step in the history, which has been taken when this is called. */
async function step() {
  const to = entry().at ?? 0;
  if (returning) {
    returning();
    returning = undefined;
    return;
  }
  const by = to - position;
  if (guards.size > 0 && by !== 0) {
    // The page stays until it is clear that it may be left, and its address with it.
    await new Promise<void>((resolve) => {
      returning = resolve;
      history.go(-by);
    });
    if (!(await mayLeave())) return;
    await new Promise<void>((resolve) => {
      returning = resolve;
      history.go(by);
    });
  }
  position = to;
  await show();
}

/** Loads what somebody is about to go to. */
export async function preload<P extends Path>(target: Target<P>): Promise<void> {
  const { pathname, searchParams } = new URL(addressOf(target), location.origin);
  const found = find(pathname);
  if (found.routes.at(-1)?.redirect) return;
  await load({ ...found, search: Object.fromEntries(searchParams) }, true).catch(() => undefined);
}

const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Has a page left only when the guard agrees. Returns the way to stop. */
export function guardPage(guard: Guard): () => void {
  guards.add(guard);
  window.addEventListener("beforeunload", askBeforeUnload);
  return () => {
    guards.delete(guard);
    if (guards.size === 0) window.removeEventListener("beforeunload", askBeforeUnload);
  };
}

/** Begins to follow the address. Resolves when its page can be shown. */
export async function start(routes: Route, notFound: Route): Promise<void> {
  tree = routes;
  missing = notFound;
  position = entry().at ?? 0;
  window.addEventListener("popstate", () => void step());
  await show();
}

const follow = (follower: () => void) => {
  followers.add(follower);
  return () => void followers.delete(follower);
};
const current = () => shown;

export const useShown = (): Shown => useSyncExternalStore(follow, current);

/** The ids in the address: those of a page, inside of it, or those that there are. */
export function useParams<P extends Path>(of: P): Params<P>;
export function useParams(): SomeParams;
export function useParams(): SomeParams {
  return useShown().params;
}

/** What follows the question mark in the address, for a page or for whatever page is shown. */
export function useSearch<P extends Path>(of: P): Pages[P];
export function useSearch(): SomeSearch;
export function useSearch(): SomeSearch {
  return useShown().search;
}

/** The path of the page that is shown. */
export const usePath = (): string => useShown().path;
