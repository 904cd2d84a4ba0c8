import { createElement, type SVGProps } from "react";

type Props = SVGProps<SVGSVGElement> & { size?: number };

/**
 * What an icon of lucide-react is built with: one path, drawn with the pen that its set is made for. The
 * original brings shapes, names and settings that no icon here uses.
 */
export const icon = (d: string) =>
  function Icon({ size = 24, strokeWidth = 2, children, ...rest }: Props) {
    return createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg", // an image of it needs that
        width: size,
        height: size,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": rest["aria-label"] === undefined && rest.role === undefined && !children ? true : undefined,
        ...rest,
      },
      createElement("path", { d }),
      children,
    );
  };
