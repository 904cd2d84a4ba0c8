import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

type Patch = { file: RegExp; find: RegExp; replacement: string };

const patches: Patch[] = [
  {
    // The library drops what is typed into a column that is left of the scrolled ones, which a
    // frozen column always is.
    file: /glide-data-grid\/dist\/esm\/data-editor\/data-editor\.js/,
    find: /\(vr\.y > row \|\| row > vr\.y \+ vr\.height \|\| vr\.x > col \|\| col > vr\.x \+ vr\.width\)/,
    replacement: [
      "(vr.y > row || row > vr.y + vr.height || ",
      "(col - rowMarkerOffset >= (vr.extras?.freezeRegion?.width ?? 0) && (vr.x > col || col > vr.x + vr.width)))",
    ].join(""),
  },
  {
    // The library goes to the row for new records, which stays at the bottom, and scrolls nowhere.
    file: /glide-data-grid\/dist\/esm\/data-editor\/data-editor\.js/,
    find: /row = Number\.MAX_SAFE_INTEGER;(\s*col = Number\.MAX_SAFE_INTEGER;)/,
    replacement: "row = rows - 1;$1",
  },
  {
    // The library loads the cell editor with the first edit, and loses the letters typed until it
    // has loaded.
    file: /glide-data-grid\/dist\/esm\/data-editor\/data-editor\.js/,
    find: /const DataGridOverlayEditor = React\.lazy\(async \(\) => await import\(("[^"]+")\)\);/,
    replacement: "import DataGridOverlayEditor from $1;",
  },
  {
    // The library has a search of its own, which is never opened: rows that are not loaded are not
    // in it, and its place is in the toolbar.
    file: /glide-data-grid\/dist\/esm\/data-editor\/data-editor\.js/,
    find: /import DataGridSearch, \{\} from "\.\.\/internal\/data-grid-search\/data-grid-search\.js";/,
    replacement: [
      'import ScrollingDataGrid from "../internal/scrolling-data-grid/scrolling-data-grid.js";',
      "const nothingFound = [];",
      "const DataGridSearch = ({ searchInputRef, showSearch, searchResults, searchValue, onSearchValueChange, ",
      "onSearchResultsChanged, onSearchClose, getCellsForSelection, ...grid }) => ",
      "React.createElement(ScrollingDataGrid, { ...grid, prelightCells: nothingFound });",
    ].join("\n"),
  },
  {
    // The library parses pasted HTML in the page, where its images are fetched and its styles
    // violate the content policy.
    file: /glide-data-grid\/dist\/esm\/data-editor\/copy-paste\.js/,
    find: /const fragment = document\.createElement\("html"\);\s*(?:\/\/.*\s*)?fragment\.innerHTML = (.+);/,
    replacement: [
      "const fragment = new DOMParser().parseFromString(($1)",
      String.raw`.replace(/<style[^]*?<\/style>/gi, "")`,
      String.raw`.replace(/\sstyle=("[^"]*"|'[^']*')/gi, "")`,
      ', "text/html");',
    ].join(""),
  },
];

/**
 * Patches places of the grid library. Its version is pinned. The build fails if a patch no longer
 * applies.
 */
export function patchGrid(): Plugin {
  return {
    name: "rowhouse-patch-grid",
    enforce: "pre",
    transform(code, id) {
      const needed = patches.filter(({ file }) => file.test(id));
      if (needed.length === 0) return null;
      let patched = code;
      for (const { find, replacement } of needed) {
        if (!find.test(patched)) throw new Error(`${id} has changed; check whether dev/glide.ts is still needed`);
        patched = patched.replace(find, replacement);
      }
      return { code: patched, map: null };
    },
  };
}

const shim = (path: string) => fileURLToPath(new URL(`../shim/${path}`, import.meta.url));

/** The few functions that the grid takes from large libraries, by modules that have no more than those. */
export const gridAliases = [
  { find: /^lodash\/(\w+)\.js$/, replacement: shim("lodash/$1.ts") },
  { find: "@linaria/react", replacement: shim("styled.ts") },
];
