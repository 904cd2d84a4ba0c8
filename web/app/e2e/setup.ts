import type { TestProject } from "vitest/node";
import { type Service, startService } from "./service.ts";

declare module "vitest" {
  interface ProvidedContext {
    service: Service;
  }
}

/** Starts the service before the first test, and stops it after the last. */
export default async function setup(project: TestProject) {
  const { service, stop } = await startService();
  project.provide("service", service);
  return stop;
}
