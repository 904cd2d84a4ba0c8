import type { Theme } from "@glideapps/glide-data-grid";
import { type Tone, toneColours } from "../ui/tone.ts";

export type Palette = {
  tones: Record<Tone, { fill: string; ink: string }>;
  accent: string;
  faint: string;
  line: string;
  surface: string;
  star: string;
  warn: string;
  danger: string;
};

const read = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The grid's colours, read from the design tokens as the theme shown now has them. */
export function gridTheme(): Partial<Theme> {
  return {
    accentColor: read("--accent"),
    accentFg: read("--on-accent"),
    accentLight: read("--accent-soft"),
    textDark: read("--ink"),
    textMedium: read("--muted"),
    textLight: read("--faint"),
    textBubble: read("--ink"),
    bgIconHeader: read("--faint"),
    fgIconHeader: read("--surface"),
    textHeader: read("--muted"),
    textHeaderSelected: read("--on-accent"),
    bgCell: read("--surface"),
    bgCellMedium: read("--sunken"),
    bgHeader: read("--canvas"),
    bgHeaderHasFocus: read("--hover"),
    bgHeaderHovered: read("--hover"),
    bgBubble: read("--tone-gray"),
    bgBubbleSelected: read("--tone-gray"),
    bgSearchResult: read("--warn-soft"),
    borderColor: read("--line"),
    horizontalBorderColor: read("--line"),
    drilldownBorder: read("--line-strong"),
    linkColor: read("--accent"),
    cellHorizontalPadding: 10,
    cellVerticalPadding: 6,
    headerFontStyle: "560 13px",
    headerIconSize: 16,
    baseFontStyle: "13.5px",
    markerFontStyle: "11.5px",
    editorFontSize: "13.5px",
    lineHeight: 1.45,
    checkboxMaxSize: 17,
    roundingRadius: 5,
    resizeIndicatorColor: read("--accent"),
    fontFamily: '"Hanken Grotesk Variable", ui-sans-serif, system-ui, sans-serif',
  };
}

/** The colours of cells in addition to the grid's own. */
export function cellPalette(): Palette {
  return {
    tones: toneColours(),
    accent: read("--accent"),
    faint: read("--line-strong"),
    line: read("--line-strong"),
    surface: read("--surface"),
    star: read("--warn"),
    warn: read("--warn"),
    danger: read("--danger"),
  };
}
