import { useBlocker } from "@tanstack/react-router";
import { useText } from "../text/index.ts";
import { Confirm } from "./lazyconfirm.tsx";

/** Asks before a page is left on which something was entered that is saved nowhere. */
export function LeaveQuestion({ unsaved }: { unsaved: boolean }) {
  const t = useText();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => true,
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <Confirm
      open={status === "blocked"}
      onClose={() => reset?.()}
      title={t.confirm.discardTitle}
      body={t.confirm.discardBody}
      action={t.action.discard}
      onConfirm={() => proceed?.()}
    />
  );
}
