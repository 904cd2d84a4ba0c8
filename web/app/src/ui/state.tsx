import { CircleAlert, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Problem } from "../api/problem.ts";
import { useText } from "../text/index.ts";
import { Button } from "./button.tsx";
import { join } from "./class.ts";

type EmptyProps = { icon?: ReactNode; title: string; body?: ReactNode; action?: ReactNode; className?: string };

/** What a place shows that has nothing in it yet: what belongs here, and the way to begin. */
export function Empty({ icon, title, body, action, className }: EmptyProps) {
  return (
    <div className={join("flex flex-col items-center px-6 py-14 text-center", className)}>
      {icon && (
        <div className="mb-4 grid size-12 place-items-center rounded-xl bg-accent-soft text-accent-ink">{icon}</div>
      )}
      <h2 className="text-[16px]">{title}</h2>
      {body && <p className="mt-1 max-w-[44ch] text-muted">{body}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/**
 * What a place shows that could not be loaded, with a way to try again and the id that support
 * needs.
 */
export function Failed({ error, retry, action }: { error: unknown; retry?: () => void; action?: ReactNode }) {
  const text = useText();
  const problem = Problem.from(error);
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <div className="mb-4 grid size-12 place-items-center rounded-xl bg-danger-soft text-danger">
        <CircleAlert size={22} aria-hidden />
      </div>
      <h2 className="text-[16px]">{problem.title}</h2>
      <p className="mt-1 max-w-[52ch] break-words text-muted">{problem.message}</p>
      {problem.requestId && (
        <p className="mt-2 font-mono text-[12px] text-faint">{text.failure.request(problem.requestId)}</p>
      )}
      <div className="mt-5 flex gap-2">
        {retry && (
          <Button onClick={retry} look="primary">
            {text.action.retry}
          </Button>
        )}
        {action}
      </div>
    </div>
  );
}

export function Waiting({ label }: { label?: string }) {
  const text = useText();
  return (
    <div role="status" className="flex h-full min-h-40 items-center justify-center gap-2 text-muted">
      <LoaderCircle size={17} className="animate-spin" aria-hidden />
      <span>{label ?? text.state.loading}</span>
    </div>
  );
}

export function Progress({ value, max, label }: { value: number; max: number; label: string }) {
  const share = max === 0 ? 0 : Math.min(100, Math.round((value / max) * 100));
  return (
    <div>
      <div className="mb-1.5 flex justify-between text-[13px] text-muted">
        <span>{label}</span>
        <span className="tabular-nums">{share}%</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}
