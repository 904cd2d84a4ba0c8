import { type ComponentProps, lazy, Suspense } from "react";
import type { Confirm as ConfirmType } from "./dialog.tsx";
import type { NameDialog as NameDialogType } from "./rename.tsx";

const Name = lazy(async () => ({ default: (await import("./rename.tsx")).NameDialog }));
const Sure = lazy(async () => ({ default: (await import("./dialog.tsx")).Confirm }));

/** NameDialog, loaded when it is first opened. */
export function NameDialog(props: ComponentProps<typeof NameDialogType>) {
  return <Suspense>{props.open && <Name {...props} />}</Suspense>;
}

/** Confirm, loaded when it is first opened. */
export function Confirm(props: ComponentProps<typeof ConfirmType>) {
  return <Suspense>{props.open && <Sure {...props} />}</Suspense>;
}
