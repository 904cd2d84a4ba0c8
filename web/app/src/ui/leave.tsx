import { useEffect, useState } from "react";
import { guardPage } from "../route/router.ts";
import { useText } from "../text/index.ts";
import { Confirm } from "./lazyconfirm.tsx";

/** Asks before a page is left on which something was entered that is saved nowhere. */
export function LeaveQuestion({ unsaved }: { unsaved: boolean }) {
  const t = useText();
  const [asked, setAsked] = useState<(may: boolean) => void>();
  useEffect(() => {
    if (!unsaved) return undefined;
    return guardPage(() => new Promise((resolve) => setAsked(() => resolve)));
  }, [unsaved]);
  const answer = (may: boolean) => {
    asked?.(may);
    setAsked(undefined);
  };
  return (
    <Confirm
      open={asked !== undefined}
      onClose={() => answer(false)}
      title={t.confirm.discardTitle}
      body={t.confirm.discardBody}
      action={t.action.discard}
      onConfirm={() => answer(true)}
    />
  );
}
