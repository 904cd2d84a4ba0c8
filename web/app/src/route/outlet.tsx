import { Component, type ComponentType, createContext, type ReactNode, useContext, useEffect } from "react";
import type { Path, Target } from "./address.ts";
import { navigate, type Shown, useShown } from "./router.ts";

type Failure = ComponentType<{ error: unknown; reset: () => void }>;
type BoundaryProps = { at: Shown; failed: Failure; children: ReactNode };
type BoundaryState = { at: Shown; problem?: { error: unknown } };

/** Shows what a page threw in its place, until another address is gone to. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { problem: { error } };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at };
  }

  override render() {
    const { failed: Failed, children } = this.props;
    const { problem } = this.state;
    return problem ? (
      <Failed error={problem.error} reset={() => this.setState({ problem: undefined })} />
    ) : (
      children
    );
  }
}

const Place = createContext<{ depth: number; failed: Failure } | undefined>(undefined);

/** What the address leads to, from the outermost frame on. */
export function Routes({ failed }: { failed: Failure }) {
  return (
    <Place value={{ depth: 0, failed }}>
      <Outlet />
    </Place>
  );
}

/** What the address leads to inside of a frame. */
export function Outlet() {
  const shown = useShown();
  const place = useContext(Place);
  const route = place && shown.routes[place.depth];
  if (!route) return null;
  return (
    <Boundary at={shown} failed={place.failed}>
      <Place value={{ ...place, depth: place.depth + 1 }}>
        <route.component />
      </Place>
    </Boundary>
  );
}

/** Leads to another page in place of what is shown. */
export function Navigate<P extends Path>(target: Target<P>) {
  useEffect(() => {
    void navigate({ ...target, replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- goes once
  }, []);
  return null;
}
