import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const worth = /\.(js|css|svg|html|json)$/;
const least = 1024; // bytes; below that the headers cost more than is saved

/**
 * Writes .br and .gz beside each built text file, so that the service compresses nothing while
 * serving.
 */
export function precompress(): Plugin {
  let folder = "dist";
  return {
    name: "rowhouse-precompress",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      await writeFile(join(folder, ".gitkeep"), ""); // emptied with the folder, and wanted by go:embed
      for (const name of await readdir(folder, { recursive: true })) {
        if (!worth.test(name)) continue;
        const path = join(folder, name);
        const content = await readFile(path);
        if (content.length < least) continue;
        await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
        await writeFile(
          `${path}.br`,
          brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
        );
      }
    },
  };
}
