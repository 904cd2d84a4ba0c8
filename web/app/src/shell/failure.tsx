import { Compass } from "lucide-react";
import { Link } from "../route/link.tsx";
import { Problem } from "../api/problem.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed } from "../ui/state.tsx";

function ToHome() {
  const text = useText();
  return (
    <Button render={<Link to="/" />}>
      {text.failure.home}
    </Button>
  );
}

/** The page for an address that leads nowhere. */
export function Missing() {
  const text = useText();
  return (
    <Empty
      icon={<Compass size={22} aria-hidden />}
      title={text.failure.pageTitle}
      body={text.failure.page}
      action={<ToHome />}
    />
  );
}

/**
 * What a route shows that threw: a problem of the service unchanged, anything else as a failure of
 * the page.
 */
export function RouteFailed({ error, reset }: { error: unknown; reset: () => void }) {
  const text = useText();
  if (error instanceof Problem) return <Failed error={error} retry={reset} action={<ToHome />} />;
  return (
    <Failed
      error={new Problem(-1, "crash", text.failure.unexpected, text.failure.crash)}
      retry={() => location.reload()}
      action={<ToHome />}
    />
  );
}
