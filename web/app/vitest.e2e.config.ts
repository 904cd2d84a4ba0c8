import { defineConfig } from "vitest/config";

// The tests that run the real binary in a real browser. They share one service and run one after
// another.
export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    globalSetup: ["e2e/setup.ts"],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
});
