import { type ComponentProps, type MouseEvent, useRef } from "react";
import { addressOf, type Path, type Target } from "./address.ts";
import { navigate, preload, usePath } from "./router.ts";

const intent = 50; // milliseconds that the pointer rests on a link before its page is loaded

type Props<P extends Path> = Omit<ComponentProps<"a">, "href"> &
  Target<P> & {
    replace?: boolean;
    /** The link is that of the open page only at its own path, and not at paths below it. */
    exact?: boolean;
    /** Further classes while the link is that of the open page. */
    activeClass?: string;
  };

/** Whether a click is one that the browser follows itself: in a new tab or window, or as a download. */
const isForBrowser = (event: MouseEvent<HTMLAnchorElement>) =>
  event.button !== 0 ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.altKey ||
  (event.currentTarget.target !== "" && event.currentTarget.target !== "_self");

/** A link to a page of the application, which is loaded when somebody is about to follow it. */
export function Link<P extends Path>({ to, params, search, replace, exact, activeClass, ...rest }: Props<P>) {
  const target = { to, params, search } as Target<P>;
  const address = addressOf(target);
  const path = usePath();
  const own = address.split("?", 1)[0] ?? "";
  const active = path === own || (!exact && path.startsWith(`${own}/`));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ahead = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void preload(target), intent);
  };
  return (
    // What it has is among the rest.
    // oxlint-disable-next-line jsx-a11y/anchor-has-content
    <a
      aria-current={active ? "page" : undefined}
      data-status={active ? "active" : undefined}
      {...rest}
      className={active && activeClass ? `${rest.className ?? ""} ${activeClass}` : rest.className}
      href={address}
      onClick={(event) => {
        rest.onClick?.(event);
        if (event.defaultPrevented || isForBrowser(event)) return;
        event.preventDefault();
        void navigate({ ...target, replace });
      }}
      onPointerEnter={(event) => {
        rest.onPointerEnter?.(event);
        ahead();
      }}
      onPointerLeave={(event) => {
        rest.onPointerLeave?.(event);
        clearTimeout(timer.current);
      }}
      onFocus={(event) => {
        rest.onFocus?.(event);
        ahead();
      }}
    />
  );
}
