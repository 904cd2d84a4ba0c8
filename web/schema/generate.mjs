// Generates web/app/src/api/schema.ts from the OpenAPI document of a running service, and
// web/app/src/field/catalogue.ts and config/catalogue.ts from the answer of GET /field-types that
// the service's tests hold. With --check, it only reports whether these files are up to date.
//
//	node generate.mjs [--check] [http://127.0.0.1:8080]

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { catalogueSource, configSource } from "./catalogue.mjs";
import { compact, reduce } from "./reduce.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = fileURLToPath(new URL("../app/src/api/schema.ts", import.meta.url));
const field = fileURLToPath(new URL("../app/src/field/", import.meta.url));
const served = fileURLToPath(new URL("../../api/operation/testdata/field-types.json", import.meta.url));
const check = process.argv.includes("--check");
const base = process.argv.slice(2).find((argument) => argument.startsWith("http")) ?? "http://127.0.0.1:8080";

const response = await fetch(`${base}/api/v1/openapi.json`);
if (!response.ok) throw new Error(`${base} responded with status ${response.status}`);
const document = await response.json();
delete document.servers; // they depend on the service
const first = `// Written by \`npm run generate\` from the OpenAPI document ${createHash("sha256").update(JSON.stringify(document)).digest("hex")}; not to be edited.`;

const fieldTypes = JSON.parse(await readFile(served, "utf8"));
const catalogues = [
  ["catalogue.ts", catalogueSource(fieldTypes)],
  ["config/catalogue.ts", configSource(fieldTypes)],
];

if (check) {
  const present = (await readFile(target, "utf8")).split("\n", 1)[0];
  if (present !== first) {
    process.stderr.write("src/api/schema.ts does not match this service's OpenAPI document. Run `npm run generate` in web/app while the service runs.\n");
    process.exit(1);
  }
  for (const [name, source] of catalogues) {
    if ((await readFile(field + name, "utf8")) === source) continue;
    process.stderr.write(`src/field/${name} does not match the service's field types. Run \`npm run generate\` in web/app while the service runs.\n`);
    process.exit(1);
  }
} else {
  if (!existsSync(`${here}node_modules`)) execFileSync("npm", ["ci"], { cwd: here, stdio: "inherit" });
  const { default: generate, astToString } = await import("openapi-typescript");
  const types = astToString(await generate(reduce(document), { emptyObjectsUnknown: true }));
  await writeFile(target, `${first}\n\n${compact(types)}`);
  for (const [name, source] of catalogues) await writeFile(field + name, source);
}
