import { defineConfig } from "vitest/config";

// The measurements of `make bench` in a real browser. None of them asserts a time.
export default defineConfig({
  test: {
    include: ["bench/**/*.bench.ts"],
    globalSetup: ["e2e/setup.ts"],
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
