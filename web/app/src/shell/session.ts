import { useEffect, useState } from "react";
import { onRefusal, onSessionEnd } from "../api/client.ts";
import { onOtherPerson } from "../api/person.ts";
import { cache } from "../api/cache.ts";
import { meQuery } from "../api/query.ts";

export const signInPath = "/sign-in";
const signOutPath = "/sign-out";

/**
 * Signing out is a form post, so that it works like the server's own pages and the cookie goes with
 * the answer.
 */
export function signOut() {
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
 * Watches for the end of the session. Somebody who has not been let in yet goes straight to the
 * sign-in page; somebody who was at work keeps the page, and what is on it, and is asked to sign in
 * beside it.
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
  // Who is refused something may have been given another role; the page is to offer what that
  // allows.
  useEffect(() => onRefusal(() => void cache.invalidateQueries({ queryKey: meQuery.queryKey })), []);
  return { ended, close: () => setEnded(false) };
}
