#!/usr/bin/env node
// Runs the binary of this platform, which npm has installed as an optional dependency.
"use strict";
const { spawn } = require("node:child_process");

const name = `@rowhouse/cli-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/rowhouse${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`rowhouse: ${name} is not installed. There are binaries for Linux, macOS and Windows on x64 and arm64; ` +
    "npm leaves them out with --omit=optional.");
  process.exit(1);
}
const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C reaches the binary by itself; both wait for its end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    if (signal !== "SIGINT") child.kill(signal);
  });
child.on("error", (error) => {
  console.error(`rowhouse: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code ?? 1);
});
