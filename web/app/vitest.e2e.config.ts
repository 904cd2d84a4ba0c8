import { availableParallelism } from "node:os";

import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

// The longest files start first, so that no worker is left with one of them at the end.
// Those two that wait most, for pages to be idle, do not run side by side.
const longest = ["pagewide", "gridmodel", "gridrow", "pagenarrow"].map((name) => `/e2e/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((path) => moduleId.endsWith(path));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// The tests that run the real binary in a real browser. Each worker has a service of its own, and
// runs its files one after another. WORKERS is how many there are: as many as the machine has
// cores, and at most three. With more, browsers wait for each other, and keys and clicks arrive
// seconds late. A test that fails in such a crowd runs once more; the report says so.
export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    globalSetup: ["e2e/setup.ts"],
    maxWorkers: process.env.ROWHOUSE_DEV ? 1 : Number(process.env.WORKERS ?? Math.min(3, availableParallelism())),
    isolate: false, // a file does not load again what the one before has loaded
    sequence: { sequencer: LongestFirst },
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // expect.poll gives up after one second by itself, which a loaded machine takes for a page.
    expect: { poll: { timeout: 45_000 } },
  },
});
