import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { onMessage } from "../ui/toast.ts";
import { useTyping } from "../ui/typing.ts";
import { onUnsavedSignOut, useSessionEnd } from "./session.ts";

const Toasts = lazy(() => import("../ui/toasts.tsx"));
const SessionEnded = lazy(() => import("./sessionended.tsx"));
const SignOutQuestion = lazy(() => import("./signoutquestion.tsx"));

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
