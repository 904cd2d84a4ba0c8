// Packs the binaries of a release for npm: a package for each platform, and @rowhouse/cli, whose optional
// dependencies they are, so that npm installs the one that fits. node npm.mjs <folder of the release>
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const release = resolve(process.argv[2] ?? "bin/release");
const here = import.meta.dirname;
const root = resolve(here, "../..");
const out = join(release, "npm");
const { version } = JSON.parse(readFileSync(join(release, "metadata.json"), "utf8"));
const artifacts = JSON.parse(readFileSync(join(release, "artifacts.json"), "utf8"));

const common = {
  version,
  license: "Apache-2.0",
  repository: { type: "git", url: "git+https://github.com/rowhouse/rowhouse.git", directory: "deploy/release/npm" },
};
const systems = { linux: "linux", darwin: "darwin", windows: "win32" };
const processors = { amd64: "x64", arm64: "arm64" };

function pack(name, description, members, files) {
  const folder = join(out, name.replace("@rowhouse/", ""));
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const [from, to, executable] of [...files, [join(root, "LICENSE"), "LICENSE"]]) {
    copyFileSync(from, join(folder, to));
    chmodSync(join(folder, to), executable ? 0o755 : 0o644);
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name, description, ...common, ...members }, null, 2)}\n`);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  rmSync(folder, { recursive: true });
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const optionalDependencies = {};
for (const { type, path, goos, goarch } of artifacts) {
  if (type !== "Binary") continue;
  const os = systems[goos];
  const cpu = processors[goarch];
  const name = `@rowhouse/cli-${os}-${cpu}`;
  const binary = os === "win32" ? "bin/rowhouse.exe" : "bin/rowhouse";
  pack(name, `The binary of @rowhouse/cli for ${os} on ${cpu}.`, { os: [os], cpu: [cpu], files: ["bin"] }, [
    [resolve(root, path), binary, true],
  ]);
  optionalDependencies[name] = version;
}
pack(
  "@rowhouse/cli",
  "The command line of Rowhouse, a data workspace",
  { bin: { rowhouse: "bin/rowhouse.js" }, files: ["bin"], engines: { node: ">=18" }, optionalDependencies },
  [
    [join(here, "npm/rowhouse.js"), "bin/rowhouse.js", true],
    [join(here, "npm/README.md"), "README.md", false],
  ],
);
console.log(`${Object.keys(optionalDependencies).length + 1} packages in ${out}`);
