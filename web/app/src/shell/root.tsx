import { Suspense, useEffect, useState } from "react";
import { Outlet } from "../route/outlet.tsx";
import { onMessage } from "../ui/toast.ts";
import { useTyping } from "../ui/typing.ts";
import { onUnsavedSignOut, useSessionEnd } from "./session.ts";
import { preloadable } from "../ui/preloadable.tsx";

const Toasts = preloadable(async () => (await import("../ui/toasts.tsx")).default, null);
const SessionEnded = preloadable(async () => (await import("./sessionended.tsx")).default, null);
const SignOutQuestion = preloadable(async () => (await import("./signoutquestion.tsx")).default, null);

/**
 * What is on every page: its content, and, when there are any, the messages and the question that
 * an ended session brings.
 */
export function Root() {
  const [messages, setMessages] = useState(false);
  const { ended, close } = useSessionEnd();
  const typing = useTyping(ended);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => onUnsavedSignOut(() => setLeaving(true)), []);
  useEffect(() => onMessage(() => setMessages(true)), []);
  return (
    <>
      <Outlet />
      <Suspense>{ended && !typing && <SessionEnded onClose={close} />}</Suspense>
      <Suspense>{leaving && <SignOutQuestion onClose={() => setLeaving(false)} />}</Suspense>
      <Suspense>{messages && <Toasts />}</Suspense>
    </>
  );
}
