import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Problem } from "../api/problem.ts";
import { currentText } from "../text/index.ts";
import { Failed, Waiting } from "./state.tsx";
import { offer } from "./toast.ts";

/**
 * A component whose code is loaded when it is first shown, or before by `preload`. Used in place of
 * React's lazy, because React holds back for 300 ms what a Suspense boundary shows after its fallback,
 * and because this can be tried again. The fallback is shown in its place until then. Code that cannot
 * be loaded, as when a newer version has replaced it, says so in its place, or in a message where the
 * fallback is nothing.
 */
export function preloadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = <Waiting />,
) {
  let loaded: ComponentType<Props> | undefined;
  const preload = async () => {
    loaded ??= await load();
  };
  function Preloadable(props: Props) {
    const [, setArrived] = useState(loaded !== undefined);
    const [turn, setTurn] = useState({ tries: 0, failed: false });
    const { tries } = turn;
    useEffect(() => {
      if (loaded !== undefined) return;
      const again = () => setTurn({ tries: tries + 1, failed: false });
      preload().then(
        () => setArrived(true),
        () => {
          const { failure, action } = currentText();
          if (fallback === null) offer(failure.partTitle, failure.part, { label: action.retry, run: again });
          else setTurn({ tries, failed: true });
        },
      );
    }, [tries]);
    const Shown = loaded;
    if (Shown) return <Shown {...props} />;
    if (!turn.failed) return fallback;
    const { partTitle, part } = currentText().failure;
    const problem = new Problem(-1, "not_loaded", partTitle, part);
    return <Failed error={problem} retry={() => setTurn({ tries: tries + 1, failed: false })} />;
  }
  return Object.assign(Preloadable, { preload });
}
