import type { TestProject } from "vitest/node";
import { type Service, startService } from "./service.ts";

declare module "vitest" {
  interface ProvidedContext {
    services: Service[];
  }
}

/** Starts a service for each worker before the first test, and stops all after the last. */
export default async function setup(project: TestProject) {
  const workers = project.vitest.config.maxWorkers;
  const started = await Promise.allSettled(Array.from({ length: workers }, startService));
  const running = started.filter((one) => one.status === "fulfilled").map((one) => one.value);
  const stop = async () => {
    await Promise.all(running.map((one) => one.stop()));
  };
  const failed = started.find((one) => one.status === "rejected");
  if (failed) {
    await stop();
    throw failed.reason;
  }
  project.provide(
    "services",
    running.map((one) => one.service),
  );
  return stop;
}
