import type { ModelFailure } from "../../platform/models/model-failure.ts";
import type { Proxy } from "../../platform/net/proxies.ts";
import type { PartUse } from "./part-health.ts";

/** Names of parts, as the doctor has them where it looks at them. */
export const PARTS = {
  model: "Language model",
  proxies: "Proxies",
  browser: "Browser",
  search: "Search engine",
  mail: "Mail server",
  collector: "Audit collector",
  documents: "File readers",
  ocr: "tesseract",
} as const;

/** What a model says, or is asked, is not a fault of it: only that it does not answer is. */
export function modelUse(model: string, failure: ModelFailure | undefined): PartUse {
  const isBroken = failure !== undefined && (failure.kind === "busy" || failure.kind === "rejected");
  return { part: PARTS.model, target: model, problem: isBroken ? failure.message : undefined };
}

export function proxyUse({ url }: Proxy, works: boolean): PartUse {
  return { part: PARTS.proxies, target: hostOf(url), problem: works ? undefined : "It does not connect." };
}

/** Does something with a part, and notes whether the part did it. */
export async function noted<Result>(
  health: { note(use: PartUse): void },
  part: PartUse,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    const result = await work();
    health.note(part);
    return result;
  } catch (failure) {
    // A caller that gave up does not know the outcome.
    if (!signal?.aborted) health.note({ ...part, problem: problemOf(failure) });
    throw failure;
  }
}

export function problemOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Without user name and password. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "unknown";
}
