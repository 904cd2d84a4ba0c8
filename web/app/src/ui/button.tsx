import { LoaderCircle } from "lucide-react";
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode } from "react";
import { join } from "./class.ts";

type Look = "primary" | "secondary" | "quiet" | "danger" | "danger-quiet";

const look: Record<Look, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover shadow-low",
  secondary: "bg-surface text-ink border border-line-strong hover:bg-hover shadow-low",
  quiet: "text-ink hover:bg-hover data-[popup-open]:bg-hover",
  danger: "bg-danger text-surface hover:bg-danger-hover shadow-low",
  "danger-quiet": "text-danger hover:bg-danger-soft",
};

const size = { sm: "h-7 px-2 text-[13px] gap-1.5", md: "h-8.5 px-3 gap-2", lg: "h-10 px-4 gap-2 text-[15px]" };

/** `render` is a link that looks like a button. */
type BaseProps = ComponentProps<"button"> & { render?: ReactElement<{ className?: string }> };

function Base({ render, ...props }: BaseProps) {
  if (!render) return <button type="button" {...props} />;
  return cloneElement(render, { ...props, className: join(props.className, render.props.className) });
}

export type ButtonProps = BaseProps & {
  look?: Look;
  size?: keyof typeof size;
  busy?: boolean;
  icon?: ReactNode;
};

/**
 * A button. While busy it keeps its width, says so to assistive technology and takes no second
 * click.
 */
export function Button({
  look: l = "secondary",
  size: s = "md",
  busy,
  icon,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <Base
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={join(
        "inline-flex shrink-0 items-center justify-center rounded-md font-[560] whitespace-nowrap select-none",
        "transition-colors duration-100 disabled:opacity-50 disabled:shadow-none",
        size[s],
        look[l],
        className,
      )}
    >
      {busy ? <LoaderCircle size={15} className="animate-spin" aria-hidden /> : icon}
      {children}
    </Base>
  );
}

type IconButtonProps = Omit<ButtonProps, "children" | "aria-label"> & { label: string; children?: ReactNode };

/**
 * A square button with an icon only; its label is what assistive technology reads and what the
 * title shows.
 */
export function IconButton({
  label,
  look: l = "quiet",
  size: s = "md",
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Base
      title={label}
      {...rest}
      aria-label={label}
      className={join(
        "inline-grid shrink-0 place-items-center rounded-md transition-colors duration-100 disabled:opacity-40",
        s === "sm" ? "size-6.5" : s === "lg" ? "size-10" : "size-8",
        look[l],
        l === "quiet" && "text-muted hover:text-ink",
        className,
      )}
    >
      {children}
    </Base>
  );
}
