import { type ComponentType, useEffect, useState } from "react";
import { Waiting } from "./state.tsx";

/**
 * A component whose code is loaded when it is first shown, or before by `ahead`. For what a page is opened for, in place of lazy: React
 * holds back for 300 ms what a Suspense boundary shows after its fallback, and this does not.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const ahead = async () => {
    loaded ??= await load();
  };
  function Late(props: Props) {
    const [, setArrived] = useState(loaded !== undefined);
    const [problem, setProblem] = useState<{ error: unknown }>();
    useEffect(() => {
      if (loaded === undefined)
        ahead().then(
          () => setArrived(true),
          (error: unknown) => setProblem({ error }),
        );
    }, []);
    if (problem) throw problem.error; // the route shows it
    const Shown = loaded;
    return Shown ? <Shown {...props} /> : <Waiting />;
  }
  return Object.assign(Late, { ahead });
}
