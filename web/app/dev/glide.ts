import type { Plugin } from "vite";

type Mend = { file: RegExp; find: RegExp; put: string };

const mends: Mend[] = [
  {
    // The cell editor is loaded when the first cell is edited; the letters that are typed until it
    // has come are lost.
    file: /glide-data-grid\/dist\/esm\/data-editor\/data-editor\.js/,
    find: /const DataGridOverlayEditor = React\.lazy\(async \(\) => await import\(("[^"]+")\)\);/,
    put: "import DataGridOverlayEditor from $1;",
  },
  {
    // Pasted HTML is parsed inside the page, where its images are fetched, and with its styles,
    // which break the content policy.
    file: /glide-data-grid\/dist\/esm\/data-editor\/copy-paste\.js/,
    find: /const fragment = document\.createElement\("html"\);\s*(?:\/\/.*\s*)?fragment\.innerHTML = (.+);/,
    put: [
      "const fragment = new DOMParser().parseFromString(($1)",
      String.raw`.replace(/<style[^]*?<\/style>/gi, "")`,
      String.raw`.replace(/\sstyle=("[^"]*"|'[^']*')/gi, "")`,
      ', "text/html");',
    ].join(""),
  },
];

/**
 * Mends two places of the grid's library. Its version is pinned; one that reads otherwise fails the
 * build here.
 */
export function mendGrid(): Plugin {
  return {
    name: "rowhouse-mend-grid",
    enforce: "pre",
    transform(code, id) {
      const mend = mends.find((one) => one.file.test(id));
      if (!mend) return null;
      if (!mend.find.test(code))
        throw new Error(`${id} does not read as it did; look whether dev/glide.ts is still needed`);
      return { code: code.replace(mend.find, mend.put), map: null };
    },
  };
}
