import { beforeAll } from "vitest";

import type { Service } from "./world.ts";

/**
 * Services of this worker that several test files use. They are closed before a file that does not share any: such a file
 * may replace the clock, or count what the process has open.
 */
const opened = new Map<string, Promise<Service>>();
let isSharedByFile = false;

/** Called before each test file is loaded. */
export function beginTestFile(): void {
  isSharedByFile = false;
  beforeAll(() => (isSharedByFile ? undefined : closeSharedServices()));
}

/** Called while a test file that shares services is loaded. */
export function shareServices(): void {
  isSharedByFile = true;
}

/** Returns the service of this name. Opens it if this worker has none. */
export function sharedService(name: string, open: () => Promise<Service>): Promise<Service> {
  const service = opened.get(name) ?? open();
  opened.set(name, service);
  return service;
}

async function closeSharedServices(): Promise<void> {
  const services = [...opened.values()];
  opened.clear();
  await Promise.all(services.map(async (service) => (await service).close()));
}
