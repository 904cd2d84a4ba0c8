// Says how many bytes a page gets for a program that lists and creates records, minified and compressed.

import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const program = `
  import { Client } from "@rowhouse/client";
  const ships = new Client("https://rowhouse.example.com", { token: "rhk_" }).table("tbl_");
  for await (const ship of ships.records()) console.log(ship);
  await ships.create([{ Name: "Aase" }]);
`;
const { outputFiles } = await build({
  stdin: { contents: program, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  platform: "browser",
  target: "es2022",
});
process.stdout.write(`${gzipSync(outputFiles[0].contents, { level: 9 }).length}\n`);
