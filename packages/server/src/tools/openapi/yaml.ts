import { Worker } from "node:worker_threads";
import { programFile } from "@pergamon-dev/kit/process/program-file";

const PROGRAM = { bundle: "yaml-worker.js", loader: "yaml-source.mjs" };

/** A document of 10 MB takes about 15 seconds and as much memory. */
const LIMIT_MS = 25_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512, stackSizeMb: 8 } as const;

/**
 * Converts YAML to JSON in a thread of its own, which the signal ends, so that other work does not wait.
 * @throws Error when the text is not YAML or takes too long; the signal's reason.
 */
export async function yamlToJson(text: string, signal: AbortSignal): Promise<string> {
  const program = programFile(import.meta.url, PROGRAM);
  const worker = new Worker(program.path, {
    workerData: text,
    resourceLimits: THREAD_LIMITS,
    env: {},
    argv: [],
    execArgv: [...program.execArgv],
  });
  const stop = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.on("message", (json: unknown) =>
        typeof json === "string" ? resolve(json) : reject(new Error("The document is empty.")),
      );
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("The YAML reader ended.")));
      stop.addEventListener("abort", () => reject(stop.reason as Error), { once: true });
      stop.throwIfAborted();
    });
  } finally {
    await worker.terminate();
  }
}
