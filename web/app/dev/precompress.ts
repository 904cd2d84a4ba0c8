import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(js|css|svg|html|json)$/;
const minSize = 1024; // bytes; smaller files gain less than the headers cost

/** Writes .br and .gz beside each text file of the build, so that the service need not compress. */
export function precompress(): Plugin {
  let folder = "dist";
  return {
    name: "rowhouse-precompress",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      await writeFile(join(folder, ".gitkeep"), ""); // go:embed needs it, and the build empties the folder
      for (const name of await readdir(folder, { recursive: true })) {
        if (!compressible.test(name)) continue;
        const path = join(folder, name);
        const content = await readFile(path);
        if (content.length < minSize) continue;
        await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
        await writeFile(
          `${path}.br`,
          brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
        );
      }
    },
  };
}
