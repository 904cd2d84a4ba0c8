import { useCallback, useEffect, useState } from "react";
import { cache } from "../api/cache.ts";
import { invalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { getMe, getProfile } from "../api/read.ts";
import { bind, otherSignedIn, release } from "../api/person.ts";
import { profileQuery } from "../api/query.ts";
import { discardAll, isKept, resumeAll, unsentCount } from "../record/writers.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { signInPath } from "./session.ts";

type State = { kind: "ended" } | { kind: "nobody" } | { kind: "other"; email: string };

/**
 * Asks to sign in again in another tab; the page then continues. What waits to be sent belongs to the
 * page's person: when somebody else has signed in, it is kept until that person is back, or dropped
 * when somebody says so.
 */
export default function SessionEnded({ onClose }: { onClose: () => void }) {
  const text = useText();
  const [state, setState] = useState<State>({ kind: "ended" });
  const resume = useCallback(async () => {
    try {
      const me = await getMe({}, { whilePaused: true });
      if (bind(me.id)) {
        release();
        onClose();
        resumeAll();
        await invalidate([key.everything]);
        return;
      }
      const profile = await getProfile({}, { whilePaused: true });
      setState({ kind: "other", email: profile.email });
    } catch {
      setState({ kind: "nobody" });
    }
  }, [onClose]);
  useEffect(() => {
    // The state is set when the answer has come.
    // oxlint-disable-next-line react/set-state-in-effect
    if (otherSignedIn()) void resume();
  }, [resume]);
  const own = cache.getQueryData(profileQuery.queryKey)?.email ?? text.ended.you;
  const unsent = unsentCount();
  const kept = isKept();
  if (state.kind === "other") {
    return (
      <Dialog
        open
        onClose={onClose}
        title={text.ended.otherTitle}
        size="md"
        explicit
        footer={
          <>
            <Button
              onClick={() => {
                if (!kept) void discardAll();
                location.assign("/");
              }}
            >
              {unsent > 0 && !kept ? text.ended.discard(unsent) : text.ended.goOn}
            </Button>
            <Button look="primary" onClick={() => void resume()}>
              {text.ended.resumeAgain}
            </Button>
          </>
        }
      >
        <p className="text-muted">{text.ended.otherBody(state.email, own)}</p>
        <p className="mt-3">{(kept ? text.ended.unsent : text.ended.unsentHere)(unsent, own)}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
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
      {state.kind === "nobody" && (
        <p role="alert" className="mt-3 text-danger">
          {text.ended.still}
        </p>
      )}
    </Dialog>
  );
}
