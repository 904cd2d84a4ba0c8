// Writes ../src/schema.ts from clients/openapi.json. With --check, it only says whether that is up to date, which
// needs no package: the first line has the hash of the document and of this file.

import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const document = fileURLToPath(new URL("../../openapi.json", import.meta.url));
const target = fileURLToPath(new URL("../src/schema.ts", import.meta.url));
const hash = createHash("sha256");
for (const file of [document, fileURLToPath(import.meta.url)]) hash.update(await readFile(file));
const first = `// Code generated from clients/openapi.json by @hey-api/openapi-ts. DO NOT EDIT. ${hash.digest("hex").slice(0, 32)}`;

if (process.argv.includes("--check")) {
  const present = (await readFile(target, "utf8")).split("\n", 1)[0];
  if (present === first) process.exit(0);
  process.stderr.write("clients/typescript/src/schema.ts is out of date: make client\n");
  process.exit(1);
}

const { createClient } = await import("@hey-api/openapi-ts");
const output = await mkdtemp(join(tmpdir(), "rowhouse-types-"));
try {
  await createClient({ input: document, output, plugins: ["@hey-api/typescript"], logs: { level: "warn" } });
  const source = await readFile(join(output, "types.gen.ts"), "utf8");
  const types = source
    .replace(/^\/\/.*\n\n/, "") // the generator's own first line
    .replace(/^export type ClientOptions = \{[^;]*;\n\};\n\n/m, "")
    .replace(/\/\*\*\n +\* ([^\n]*)\n +\*\//g, "/** $1 */")
    .replace(/^( +)/gm, (indent) => indent.slice(indent.length / 2));
  await writeFile(target, `${first}\n\n${types}`);
} finally {
  await rm(output, { recursive: true });
}
