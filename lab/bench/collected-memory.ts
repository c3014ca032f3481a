import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { WebSocket } from "ws";

import { freePort } from "./free-port.ts";
import { processTree } from "../../test/process-tree.ts";
import { type ServerProcess, startService } from "./processes.ts";

/** V8 gives freed memory back to the system a moment later. */
const GIVE_BACK_MS = 1500;

/** A service whose memory can be measured without garbage. */
export interface MeasurableService extends ServerProcess {
  /** Of the service and its browser, in megabytes: what is in use, not what was used. */
  usedMegabytes(): Promise<number>;
}

export async function startMeasurableService(): Promise<MeasurableService> {
  const port = await freePort();
  const service = await startService({}, [`--inspect=127.0.0.1:${port}`, "dist/main.js"]);
  return {
    ...service,
    async usedMegabytes() {
      await collectGarbage(port);
      await sleep(GIVE_BACK_MS);
      return processTree(service.pid).ownMegabytes();
    },
  };
}

/** @param port of the inspector of the process. */
export async function collectGarbage(port: number): Promise<void> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as readonly {
    readonly webSocketDebuggerUrl: string;
  }[];
  const inspector = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? "");
  await once(inspector, "open");
  inspector.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
  await once(inspector, "message");
  inspector.terminate();
}
