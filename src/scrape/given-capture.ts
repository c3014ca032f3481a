import type { Capture } from "../visit/capture.ts";
import type { Hold } from "../accounts/credits.ts";
import type { FetchedPage } from "./fetch/fetch-or-cache.ts";
import type { Plan } from "./request/plan.ts";
import type { Source } from "./request/source.ts";

/** Makes a capture of existing bytes. It is never cached, because other callers would not get the same. */
export async function givenCapture(
  source: Source,
  { plan, hold }: { readonly plan: Plan; readonly hold: Pick<Hold, "secure"> },
  signal: AbortSignal,
): Promise<FetchedPage> {
  await hold.secure();
  const body = await source.read(signal);
  const capture: Capture = {
    requestedUrl: plan.sourceUrl,
    url: plan.sourceUrl,
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: source.contentType,
    body,
    engine: source.kind,
    proxyUsed: "basic",
    capturedAtMs: Date.now(),
    ...(source.kind === "upload" && { sourceFile: source.name }),
  };
  return { capture, captureId: undefined, cacheState: undefined };
}
