import { useEffect, useState } from "react";
import { onRefusal, onSessionEnd } from "../api/client.ts";
import { onOtherPerson } from "../api/person.ts";
import { cache } from "../api/cache.ts";
import { invalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { meQuery } from "../api/query.ts";
import { settleAll, unsavedCount } from "../record/writers.ts";

export const signInPath = "/sign-in";
const signOutPath = "/sign-out";

const patience = 3000; // milliseconds that a person who signs out waits for the last changes to be saved
const askListeners = new Set<Listener>();
type Listener = () => void;

/** Calls the listener when a person with unsaved changes signs out. Returns the function to stop. */
export function onUnsavedSignOut(listener: Listener): () => void {
  askListeners.add(listener);
  return () => void askListeners.delete(listener);
}

/** Signs out once every change is saved, or asks. */
export async function signOut() {
  const settled = settleAll().catch(() => undefined); // what waits is counted
  await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, patience))]);
  if (unsavedCount() === 0) return endSession();
  for (const listener of askListeners) listener();
}

/**
 * Signing out is a form post, so that it works like the server's own pages and the cookie goes with
 * the answer.
 */
export function endSession() {
  const form = document.createElement("form");
  form.method = "post";
  form.action = signOutPath;
  document.body.append(form);
  form.submit();
}

/** Leads to the sign-in page and from there back to where the person is now. */
function toSignIn() {
  location.assign(`${signInPath}?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/**
 * Watches for the end of the session. A person who has not been let in yet goes straight to the
 * sign-in page; a person who was at work keeps the page and its content, and is asked to sign in in
 * another tab.
 */
export function useSessionEnd(): { ended: boolean; close: () => void } {
  const [ended, setEnded] = useState(false);
  useEffect(
    () =>
      onSessionEnd(() => {
        if (cache.getQueryData(meQuery.queryKey)) setEnded(true);
        else toSignIn();
      }),
    [],
  );
  useEffect(() => onOtherPerson(() => setEnded(true)), []);
  // A person who is refused something may have another role now; the page must offer what that role
  // allows.
  useEffect(() => onRefusal(() => void invalidate([key.me, key.base()])), []);
  return { ended, close: () => setEnded(false) };
}
