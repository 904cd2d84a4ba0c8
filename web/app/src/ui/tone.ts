/**
 * The colours that options, workspaces and people can have. The service knows a few more names;
 * each has its neighbour here.
 */
export const tones = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "indigo", "purple", "pink"] as const;
export type Tone = (typeof tones)[number];

const neighbour: Record<string, Tone> = {
  amber: "yellow",
  lime: "green",
  cyan: "teal",
  violet: "purple",
  rose: "pink",
  brown: "orange",
};

function isTone(value: unknown): value is Tone {
  return typeof value === "string" && (tones as readonly string[]).includes(value);
}

/** The tone shown for a colour of the service, or undefined when it has none of ours. */
export function toneFrom(color: string | null | undefined): Tone | undefined {
  if (!color) return undefined;
  return isTone(color) ? color : neighbour[color];
}

/** A tone that is always the same for the same text. */
export function toneOf(text: string): Tone {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return tones[1 + (sum % (tones.length - 1))] ?? "gray";
}

/** Reads the tones' colours for drawing on a canvas, in the theme shown now. */
export function toneColours(): Record<Tone, { fill: string; ink: string }> {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return Object.fromEntries(
    tones.map((tone) => [tone, { fill: read(`--tone-${tone}`), ink: read(`--tone-${tone}-ink`) }]),
  ) as Record<Tone, { fill: string; ink: string }>;
}
