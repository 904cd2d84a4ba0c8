import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

type Patch = { file: RegExp; find: RegExp; replacement: string };

const editor = /glide-data-grid\/dist\/esm\/data-editor\/data-editor\.js/;

const drawing = /glide-data-grid\/dist\/esm\/internal\/data-grid\/data-grid\.js/;

const scrolling = /glide-data-grid\/dist\/esm\/internal\/scrolling-data-grid\/infinite-scroller\.js/;

const patches: Patch[] = [
  {
    // The library waits for an observer to know its size, and then for a timer to draw by it, and so draws the first
    // rows two frames later than it could.
    file: /glide-data-grid\/dist\/esm\/common\/resize-detector\.js/,
    find: /if \(ref\.current\) \{\s*resizeObserver\.observe/,
    replacement: "if (ref.current) resizeCallback([{ contentRect: ref.current.getBoundingClientRect() }]);\n$&",
  },
  {
    file: scrolling,
    find: /window\.setTimeout\(\(\) => onScrollRef\.current\(\), 0\);/,
    replacement: "",
  },
  {
    file: scrolling,
    find: /\} = useResizeDetector\(initialSize\);/,
    replacement: "$&\nReact.useLayoutEffect(() => onScrollRef.current(), [width, height]);",
  },
  {
    // The table for assistive technology takes what the application says of it (grid/access.ts).
    file: drawing,
    find: /"aria-colcount": mappedColumns\.length \+ colOffset \}/,
    replacement: '"aria-colcount": mappedColumns.length + colOffset, ...experimental?.access?.grid }',
  },
  {
    file: drawing,
    find: /createElement\("th", \{ role: "columnheader",/,
    replacement: '$& ...experimental?.access?.head(c.sourceIndex + colOffset),',
  },
  {
    file: drawing,
    find: /id: id, "data-testid": id,/,
    replacement: "$& ...said(experimental?.access?.cell(col + colOffset, row)),",
  },
  {
    // The role of a cell is given, and not taken away.
    file: drawing,
    find: /\nconst DataGrid = (?=\()/,
    replacement: [
      "",
      "const said = ({ role, ...rest } = {}) => role === undefined ? rest : { role, ...rest };",
      "const DataGrid = ",
    ].join("\n"),
  },
  {
    // The library drops what is typed into a column that is left of the scrolled ones, which a
    // frozen column always is.
    file: editor,
    find: /\(vr\.y > row \|\| row > vr\.y \+ vr\.height \|\| vr\.x > col \|\| col > vr\.x \+ vr\.width\)/,
    replacement: [
      "(vr.y > row || row > vr.y + vr.height || ",
      "(col - rowMarkerOffset >= (vr.extras?.freezeRegion?.width ?? 0) && (vr.x > col || col > vr.x + vr.width)))",
    ].join(""),
  },
  {
    // A click on the name of a selected column takes it out of the selection, where it is to select it alone.
    file: editor,
    find: /(else if \(columnSelect !== "none"\) \{\s*if \()selectedColumns\.hasIndex\(col\)\) \{/,
    replacement: "$1false) {",
  },
  {
    // The library goes to the row for new records, which stays at the bottom, and scrolls nowhere.
    file: editor,
    find: /row = Number\.MAX_SAFE_INTEGER;(\s*col = Number\.MAX_SAFE_INTEGER;)/,
    replacement: "row = rows - 1;$1",
  },
  {
    // A page down, or up, leads to the last row, or the first, where all rows are in sight.
    file: editor,
    find: /row ([+-])= (Math\.max\(1, visibleRegionRef\.current\.height - 4\));/g,
    replacement: "row = visibleRegionRef.current.height < rows ? row $1 $2 : ($11 > 0 ? rows - 1 : 0);",
  },
  {
    // The library loads the cell editor with the first edit, and loses the letters typed until it
    // has loaded.
    file: editor,
    find: /const DataGridOverlayEditor = React\.lazy\(async \(\) => await import\(("[^"]+")\)\);/,
    replacement: "import DataGridOverlayEditor from $1;",
  },
  {
    // The library has a search of its own, which is never opened: rows that are not loaded are not
    // in it, and its place is in the toolbar.
    file: editor,
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
    // The clipboard is the application's own (grid/clipboard.ts), so the library reads no pasted HTML,
    // whose images it would fetch, and whose styles would violate the content policy.
    file: editor,
    find: /import \{ decodeHTML \} from "\.\/copy-paste\.js";/,
    replacement: "const decodeHTML = () => undefined;",
  },
  {
    file: editor,
    find: /import \{ unquote, expandSelection, copyToClipboard, toggleBoolean \} from/,
    replacement: [
      "const unquote = () => undefined, copyToClipboard = () => undefined;",
      "import { expandSelection, toggleBoolean } from",
    ].join("\n"),
  },
  {
    // Columns have no groups that could be renamed.
    file: editor,
    find: /import \{ GroupRename \} from "\.\/group-rename\.js";/,
    replacement: "const GroupRename = () => null;",
  },
  {
    // Rows are grouped by the application (grid/grouped.ts).
    file: editor,
    find: /import \{ useRowGroupingInner \} from "\.\/row-grouping\.js";/,
    replacement: [
      "const sameRow = (row) => row;",
      "const useRowGroupingInner = (options, rows, rowHeight, getRowThemeOverride) => ",
      "({ rows, rowHeight, getRowThemeOverride, rowNumberMapper: sameRow });",
    ].join("\n"),
  },
  {
    file: editor,
    find: /import \{ useRowGrouping \} from "\.\/row-grouping-api\.js";/,
    replacement: [
      "const pathOf = (row) => ({ path: [row], originalIndex: row, isGroupHeader: false, ",
      "groupIndex: row, contentIndex: row, groupRows: -1 });",
      'const mapper = (at) => typeof at === "number" ? pathOf(at) : { ...pathOf(at[1]), originalIndex: at };',
      "const useRowGrouping = () => ({ mapper });",
    ].join("\n"),
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
