// Makes what VitePress built fit the service, in dist: scripts stand in files, as the policy of the pages asks, and
// text is stored compressed only, so that the binary stays small. The service expands it for clients that ask for that.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const built = new URL(".vitepress/dist/", import.meta.url).pathname;
const folder = new URL("dist/", import.meta.url).pathname;
const keep = ".gitkeep"; // go:embed needs it in a checkout that has not built the pages

await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) {
  if (name !== keep) await rm(join(folder, name), { recursive: true });
}

let size = 0;
async function write(name, content) {
  const text = /\.(html|js|css|svg|json)$/.test(name);
  const path = join(folder, text ? `${name}.gz` : name);
  const stored = text ? gzipSync(content, { level: 9 }) : content;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, stored);
  size += stored.length;
}

/** Puts the inline scripts of a page into files, and leaves out style attributes, which Vue sets again by script. */
async function strict(page) {
  const scripts = new Map();
  const html = page
    .replace(/<script([^>]*)>([^<]+)<\/script>/g, (whole, attributes, source) => {
      if (/\bsrc=/.test(attributes)) return whole;
      const file = `assets/inline.${createHash("sha256").update(source).digest("hex").slice(0, 8)}.js`;
      scripts.set(file, source);
      return `<script${attributes} src="/help/${file}"></script>`;
    })
    .replace(/<[a-z][^<>]*\sstyle="[^"]*"[^<>]*>/g, (tag) => tag.replace(/\sstyle="[^"]*"/, ""));
  for (const [file, source] of scripts) await write(file, source);
  return html;
}

for (const entry of await readdir(built, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  const name = path.slice(built.length);
  if (name === "hashmap.json") continue; // the pages have it in a script
  const content = await readFile(path);
  await write(name, name.endsWith(".html") ? await strict(content.toString()) : content);
}
process.stdout.write(`${Math.round(size / 1000)} kB\n`);
