import { useEffect, useState } from "react";
import { onSessionEnd, send } from "../api/client.ts";
import { cache, meQuery } from "../api/query.ts";
import { resumeAll } from "../grid/writer.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

export const signInPath = "/sign-in";
export const signOutPath = "/sign-out";

/** Leads to the sign-in page and from there back to where the person is now. */
export function toSignIn() {
  location.assign(`${signInPath}?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/**
 * Watches for the end of the session. Somebody who has not been let in yet goes straight to the sign-in page; somebody who
 * was at work keeps the page, and what is on it, and signs in beside it.
 */
export function SessionEnded() {
  const [open, setOpen] = useState(false);
  const [still, setStill] = useState(false);
  useEffect(
    () =>
      onSessionEnd(() => {
        if (cache.getQueryData(meQuery.queryKey)) setOpen(true);
        else toSignIn();
      }),
    [],
  );
  const resume = async () => {
    try {
      await send("GET", "/api/v1/me");
      setOpen(false);
      setStill(false);
      resumeAll();
      await cache.invalidateQueries();
    } catch {
      setStill(true);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={text.ended.title}
      keepOnOutsidePress
      footer={
        <>
          <Button onClick={() => window.open(signInPath, "_blank", "noopener")}>{text.ended.signIn}</Button>
          <Button look="primary" onClick={() => void resume()}>
            {text.ended.resume}
          </Button>
        </>
      }
    >
      <p className="text-muted">{text.ended.body}</p>
      {still && (
        <p role="alert" className="mt-3 text-danger">
          {text.ended.still}
        </p>
      )}
    </Dialog>
  );
}
