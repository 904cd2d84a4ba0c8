import { defineConfig } from "vitest/config";

// The tests that run the real binary in a real browser. They run one after another, with one
// service.
export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    globalSetup: ["e2e/setup.ts"],
    maxWorkers: 1,
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
});
