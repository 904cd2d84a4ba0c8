const production = process.argv.includes("--production");

/**
 * What knip looks at. The run for production also finds what only tests use; a test may reach into
 * a file that is used.
 */
export default {
  entry: ["dev/*.mjs", "agent.html", "e2e/answerhost.ts"],
  project: ["src/**/*.{ts,tsx,css}!", "dev/**", "test/**", "e2e/**", "bench/**"],
  ignoreExportsUsedInFile: production || { interface: true, type: true },
};
