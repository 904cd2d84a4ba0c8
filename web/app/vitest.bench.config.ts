import { defineConfig } from "vitest/config";

// What `make bench` measures in a real browser. Nothing here asserts a time.
export default defineConfig({
  test: {
    include: ["bench/**/*.bench.ts"],
    globalSetup: ["e2e/setup.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
