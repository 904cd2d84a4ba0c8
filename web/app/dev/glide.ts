import type { Plugin } from "vite";

type Patch = { file: RegExp; find: RegExp; replacement: string };

const patches: Patch[] = [
  {
    // The library loads the cell editor with the first edit, and loses the letters typed until it
    // has loaded.
    file: /glide-data-grid\/dist\/esm\/data-editor\/data-editor\.js/,
    find: /const DataGridOverlayEditor = React\.lazy\(async \(\) => await import\(("[^"]+")\)\);/,
    replacement: "import DataGridOverlayEditor from $1;",
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
 * Patches two places of the grid library. Its version is pinned. The build fails if a patch no
 * longer applies.
 */
export function patchGrid(): Plugin {
  return {
    name: "rowhouse-patch-grid",
    enforce: "pre",
    transform(code, id) {
      const patch = patches.find(({ file }) => file.test(id));
      if (!patch) return null;
      if (!patch.find.test(code)) throw new Error(`${id} has changed; check whether dev/glide.ts is still needed`);
      return { code: code.replace(patch.find, patch.replacement), map: null };
    },
  };
}
