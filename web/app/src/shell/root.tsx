import { Outlet } from "@tanstack/react-router";
import { Toasts } from "../ui/toast.tsx";
import { SessionEnded } from "./session.tsx";

/** What is on every page: its content, the messages, and the question that an ended session brings. */
export function Root() {
  return (
    <>
      <Outlet />
      <SessionEnded />
      <Toasts />
    </>
  );
}
