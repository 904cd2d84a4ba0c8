import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Waiting } from "./state.tsx";

/**
 * A component whose code is loaded when it is first shown, or before by `preload`. Used in place of
 * React's lazy for what a page is opened for: React holds back for 300 ms what a Suspense boundary
 * shows after its fallback, and this does not. The fallback is shown in its place until then.
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
    const [problem, setProblem] = useState<{ error: unknown }>();
    useEffect(() => {
      if (loaded === undefined)
        preload().then(
          () => setArrived(true),
          (error: unknown) => setProblem({ error }),
        );
    }, []);
    if (problem) throw problem.error; // the route shows it
    const Shown = loaded;
    return Shown ? <Shown {...props} /> : fallback;
  }
  return Object.assign(Preloadable, { preload });
}
