import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { join } from "./class.ts";

/** A page of the help (docs/), and a heading of it. */
export type HelpPage = `${"tutorial" | "how-to" | "reference"}/${string}`;

/** Leads to a page of the help, in a tab of its own, so that nothing that was entered is lost. */
export function HelpLink({ page, children, className }: { page: HelpPage; children: ReactNode; className?: string }) {
  return (
    <a
      href={`/help/${page}`}
      target="_blank"
      rel="noreferrer"
      className={join(
        "inline-flex items-center gap-1.5 rounded-sm text-[13px] text-accent-ink hover:underline",
        className,
      )}
    >
      <CircleHelp size={14} aria-hidden />
      {children}
    </a>
  );
}
