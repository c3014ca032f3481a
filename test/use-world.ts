import { rmSync } from "node:fs";

import { beforeAll } from "vitest";

import { KEYED } from "./operator.ts";
import { sharedService, shareServices } from "./shared-services.ts";
import { openSite } from "./site.ts";
import { openService, openWorld, type World, worldOf } from "./world.ts";

const SHARED = { open: { HOST_CONCURRENCY: "50" }, keyed: { ...KEYED, HOST_CONCURRENCY: "50" } } as const;

/** A world with these settings: opened before the tests of this file or group, and closed after them. */
export function useWorld(settings: Readonly<Record<string, string>> = {}): World {
  return useOpened(() => openWorld(settings));
}

/**
 * A world whose service other files use too, before or after this one. The site is this file's own. In open mode all files
 * are the same team; with keys, each makes its own. Not for a file that reads or changes what is of the whole service:
 * settings, backups, lists without a team.
 */
export function useSharedWorld(name: keyof typeof SHARED = "open"): World {
  shareServices();
  return useOpened(async () => {
    const service = await sharedService(name, () => openLasting(SHARED[name]));
    const site = await openSite();
    return worldOf(service, site, async () => site.retire());
  });
}

/** The worker may be ended without another file that would close it. */
async function openLasting(settings: Readonly<Record<string, string>>) {
  const service = await openService(settings);
  const remove = () => rmSync(service.dataDir, { recursive: true, force: true });
  const end = () => process.exit();
  process.once("exit", remove).once("SIGTERM", end);
  return {
    ...service,
    async close() {
      process.off("exit", remove).off("SIGTERM", end);
      await service.close();
    },
  };
}

function useOpened(open: () => Promise<World>): World {
  let opened: World | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  return new Proxy({} as World, {
    get(_target, name) {
      if (!opened) throw new Error("The world opens before the first test.");
      return Reflect.get(opened, name) as unknown;
    },
  });
}
