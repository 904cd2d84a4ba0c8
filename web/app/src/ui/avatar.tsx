import { toneOf } from "./tone.ts";

/** The initials of a person's name. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((part) => part[0]?.toUpperCase())
    .join("") || "?";

/**
 * A person's initials on a colour that stays theirs. They are no text of the page, because what has a
 * picture in it is named by the person's name.
 */
export function Avatar({ name, id, size = 28 }: { name: string; id: string; size?: number }) {
  return (
    <span
      aria-hidden
      data-tone={toneOf(id)}
      data-initials={initialsOf(name)}
      className="tone shrink-0 justify-center p-0! before:content-[attr(data-initials)]"
      style={{ width: size, height: size, fontSize: size * 0.4, lineHeight: `${size}px` }}
    />
  );
}
