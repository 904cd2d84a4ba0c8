import { type ComponentProps, lazy, Suspense } from "react";
import type { NameDialog as NameDialogType } from "./rename.tsx";

const Name = lazy(async () => ({ default: (await import("./rename.tsx")).NameDialog }));

/** NameDialog, loaded when it is first opened. */
export function NameDialog(props: ComponentProps<typeof NameDialogType>) {
  return <Suspense>{props.open && <Name {...props} />}</Suspense>;
}
