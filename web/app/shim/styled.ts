import { createElement, type CSSProperties, type ElementType } from "react";

type Props = Record<string, unknown> & { as?: ElementType; className?: string; style?: CSSProperties };
type Value = string | number | ((props: Props) => string | number);
type Options = { class: string; vars?: Record<string, [Value, string?]> };

// What the grid gives its elements for their style alone.
const ofStyle = new Set([
  "as", "innerHeight", "innerWidth", "isSafari", "targetHeight", "targetWidth", "targetX", "targetY",
]);

/**
 * What the grid takes from @linaria/react: an element with a class, whose style sheet reads variables
 * that follow from the properties. The original brings a list of all attributes of HTML.
 */
export const styled = (tag: string) => (options: Options) => (props: Props) => {
  const variables = Object.entries(options.vars ?? {}).map(([name, [value, unit = ""]]) => [
    `--${name}`,
    `${typeof value === "function" ? value(props) : value}${unit}`,
  ]);
  return createElement(props.as ?? tag, {
    ...Object.fromEntries(Object.entries(props).filter(([name]) => !ofStyle.has(name))),
    className: props.className ? `${props.className} ${options.class}` : options.class,
    style: options.vars ? { ...Object.fromEntries(variables), ...props.style } : props.style,
  });
};
