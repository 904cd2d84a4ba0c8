import { type ReactNode, useEffect, useRef } from "react";
import { usePath } from "../route/router.ts";
import { useText } from "../text/index.ts";
import { join } from "./class.ts";

export const settingsLink = join(
  "flex h-8.5 shrink-0 items-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-hover",
  "hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent-ink",
);

/** A page of settings: its sections next to it, or on top in a narrow window. */
export function SettingsFrame({
  title,
  subtitle,
  tabs,
  children,
}: {
  title: string;
  subtitle?: string;
  tabs: ReactNode;
  children: ReactNode;
}) {
  const text = useText();
  const nav = useRef<HTMLElement>(null);
  const path = usePath();
  // In a narrow window the sections scroll sideways; the one that is open is to be seen.
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[data-status="active"]');
    if (nav.current && open)
      nav.current.scrollLeft = open.offsetLeft - (nav.current.clientWidth - open.offsetWidth) / 2;
    // oxlint-disable-next-line react/exhaustive-deps -- another address is another section
  }, [path]);
  return (
    <div className="mx-auto max-w-[1060px] px-5 py-8 sm:px-8 sm:py-10">
      <title>{`${title} · ${text.name}`}</title>
      <h1 className="text-[26px] leading-tight">{title}</h1>
      {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
      <div className="mt-7 flex flex-col gap-8 md:flex-row md:gap-12">
        <nav ref={nav} aria-label={title} className="relative flex shrink-0 gap-1 overflow-x-auto md:w-52 md:flex-col">
          {tabs}
        </nav>
        <div className="min-w-0 flex-1">{children}</div>
      </div>
    </div>
  );
}

type SectionProps = { title: string; body?: ReactNode; action?: ReactNode; children?: ReactNode };

/** One matter on a settings page, with its heading and its main action. */
export function Section({ title, body, action, children }: SectionProps) {
  return (
    <section className="mb-10">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-[17px]">{title}</h2>
          {body && <p className="mt-0.5 text-muted">{body}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** A bordered list whose rows are divided by lines. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-low">{children}</ul>;
}
