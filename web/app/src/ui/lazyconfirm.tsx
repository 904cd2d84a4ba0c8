import { type ComponentProps, lazy, Suspense } from "react";
import type { Confirm as ConfirmType } from "./confirm.tsx";

const Sure = lazy(async () => ({ default: (await import("./confirm.tsx")).Confirm }));

/** Confirm, loaded when it is first opened. */
export function Confirm(props: ComponentProps<typeof ConfirmType>) {
  return <Suspense>{props.open && <Sure {...props} />}</Suspense>;
}
