import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Page = { from: string; to: string; modules: RegExp };

/**
 * Writes copies of a built page that also link the files of some routes, so that a browser loads
 * them along with the application and not after it has started.
 */
export function preloadRoutes(pages: Page[]): Plugin {
  return {
    name: "rowhouse-preload-routes",
    apply: "build",
    async writeBundle(options, bundle) {
      for (const { from, to, modules } of pages) {
        const page = bundle[from];
        if (page?.type !== "asset") throw new Error(`the build has no ${from}`);
        const html = String(page.source);
        const files = filesOf(bundle, modules).filter((file) => !html.includes(file));
        if (files.length === 0) throw new Error(`no file contains ${modules}`);
        const links = files.map((file) =>
          file.endsWith(".css")
            ? `<link rel="stylesheet" crossorigin href="/${file}">`
            : `<link rel="modulepreload" crossorigin href="/${file}">`,
        );
        await writeFile(
          join(options.dir ?? "dist", to),
          html.replace("</head>", () => `  ${links.join("\n    ")}\n  </head>`),
        );
      }
    },
  };
}

/** Returns the files that contain the modules, and all files that those import. */
function filesOf(bundle: Rolldown.OutputBundle, modules: RegExp): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || found.has(name)) return;
    chunk.imports.forEach(add);
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  };
  for (const chunk of Object.values(bundle))
    if (chunk.type === "chunk" && chunk.moduleIds.some((id) => modules.test(id))) add(chunk.fileName);
  return [...found];
}
