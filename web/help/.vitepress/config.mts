import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { classes } from "./code.mts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const docs = join(root, "docs");

/** Where files of the repository that are no part of the documentation can be read. */
const repository = "https://github.com/rowhouse/rowhouse/blob/main/";

/** The heading of a page, which is also its name in the navigation. */
function titleOf(path: string): string {
  return readFileSync(join(docs, path), "utf8").match(/^# (.*)$/m)?.[1] ?? path;
}

const pages = (folder: string, names: string[]) =>
  names.map((name) => ({ text: titleOf(`${folder}/${name}.md`), link: `/${folder}/${name}` }));

const allOf = (folder: string) =>
  pages(
    folder,
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => name.slice(0, -3))
      .toSorted(),
  );

export default defineConfig({
  base: "/help/",
  srcDir: docs,
  rewrites: { "README.md": "index.md" },
  cleanUrls: true,
  lang: "en",
  title: "Rowhouse help",
  titleTemplate: ":title · Rowhouse help",
  description: "How to use, connect and run Rowhouse.",
  metaChunk: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/favicon.svg" }]],
  markdown: {
    codeTransformers: [classes],
    config(markdown) {
      // On a code host a link to a file outside of docs/ is relative; the service has no such file.
      markdown.core.ruler.push("outside", (state) => {
        const from = dirname(join(docs, state.env.relativePath));
        for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
          const href = token.attrGet("href");
          if (!href || /^([a-z]+:|[#/])/.test(href)) continue;
          const target = resolve(from, href.split("#")[0]);
          const away = relative(docs, target).startsWith("..");
          if (away) token.attrSet("href", repository + relative(root, resolve(from, href)));
        }
        for (const token of state.tokens) {
          if (token.attrGet("style") !== "text-align:right") continue;
          token.attrs = null; // the policy of the pages allows no style attributes
          token.attrSet("class", "right");
        }
      });
    },
  },
  vite: {
    plugins: [
      {
        // The pages are outside of this folder, whose node_modules they need.
        name: "rowhouse-outside",
        enforce: "pre",
        resolveId(source, importer) {
          if (!importer?.startsWith(docs) || !/^(vue|vitepress)\b/.test(source)) return;
          return this.resolve(source, fileURLToPath(import.meta.url), { skipSelf: true });
        },
      },
    ],
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4000 }, // the policy of the pages allows no data: URLs
  },
  themeConfig: {
    siteTitle: "Rowhouse help",
    search: {
      provider: "local",
      options: {
        // Who looks for help does not look for how it came to be.
        _render: (source, env, markdown) =>
          /^(decisions|benchmarks)\//.test(env.relativePath) ? "" : markdown.render(source, env),
      },
    },
    outline: { level: [2, 3] },
    docFooter: { prev: "Previous", next: "Next" },
    nav: [
      { text: "Tutorials", link: "/tutorial/browser", activeMatch: "/tutorial/" },
      { text: "How-to", link: "/how-to/connect-an-agent", activeMatch: "/how-to/" },
      { text: "Reference", link: "/reference/rest", activeMatch: "/reference/" },
      { text: "Explanation", link: "/explanation/architecture", activeMatch: "/(explanation|decisions|benchmarks)/" },
    ],
    notFound: {
      title: "Page not found",
      quote: "There is no page of the help at this address. Search for it, or begin at its first page.",
      linkText: "First page of the help",
    },
    sidebar: {
      "/decisions/": [{ text: "Decisions", items: allOf("decisions") }],
      "/benchmarks/": [{ text: "Benchmarks", items: allOf("benchmarks") }],
      "/": [
        { text: "Tutorials", items: pages("tutorial", ["browser", "curl", "command-line", "agent"]) },
        {
          text: "Use it",
          items: pages("how-to", [
            "connect-an-agent",
            "work-in-a-grid",
            "work-on-a-board",
            "plan-in-a-calendar",
            "plan-on-a-timeline",
            "draw-charts",
            "import-and-export",
            "move-a-base",
            "move-from-airtable",
            "move-from-nocodb-or-baserow",
            "back-up-an-organization",
            "undo-and-restore",
            "share-with-permissions",
            "collect-answers",
            "receive-webhooks",
          ]),
        },
        {
          text: "Run it",
          items: pages("how-to", [
            "install",
            "set-up-mail-and-files",
            "run-on-several-machines",
            "back-up",
            "upgrade",
            "maintain",
          ]),
        },
        {
          text: "Reference",
          items: pages("reference", [
            "rest",
            "command-line",
            "clients",
            "records",
            "changes",
            "files",
            "csv",
            "field-kinds",
            "formulas",
            "shortcuts",
            "sql",
            "tools",
            "scopes",
            "problems",
            "limits",
            "configuration",
          ]),
        },
        {
          text: "Explanation",
          items: [
            ...pages("explanation", ["architecture", "isolation", "history", "reliability", "glossary"]),
            { text: "Known limitations", link: "/rough-edges" },
            { text: "Decisions", link: "/decisions/0001-doors" },
            { text: "Benchmarks", link: "/benchmarks/record" },
          ],
        },
      ],
    },
  },
});
