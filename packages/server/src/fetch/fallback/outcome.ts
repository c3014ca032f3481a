import { ServiceError } from "../../api/errors.ts";
import type { Capture } from "../capture.ts";
import { lacksOf, type Refusal, SCRIPTS } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { Blocked } from "./blocked.ts";
import { isRefused, type Judged } from "./judge.ts";

export interface Acquired {
  readonly capture: Capture;
  /** False when another engine would have returned more of the page and was not used, or it is not the page. */
  readonly isWhole: boolean;
}

/** End of an attempt, with the names of the engines that were tried. */
export interface Outcome {
  readonly result: Judged | Refusal;
  readonly tried: readonly string[];
  readonly isWhole: boolean;
}

export const NO_ENGINE: Refusal = {
  code: "SCRAPE_ALL_ENGINES_FAILED",
  message: "No engine is available.",
};

/** Outcome without an attempt. */
export function nothing(refusal: Refusal): Outcome {
  return { result: refusal, tried: [], isWhole: true };
}

/**
 * @throws ServiceError when no page came back, when a page came in place of a promised document, or when
 * nothing can run the requested actions on the page.
 */
export function settle(
  { result, tried, isWhole }: Outcome,
  { browserFeatures, asReceived }: Visit,
): Acquired {
  if (isRefused(result)) throw errorOf(result, tried);
  const { engine, isShown, wall, judgement } = result;
  if (wall) throw new ServiceError(wall);
  const isEmpty =
    judgement?.isShell === true && asReceived !== true && lacksOf(engine, [SCRIPTS]).length === 0;
  const blocked = result.blocked ?? (isEmpty ? ({ kind: "empty" } as const) : undefined);
  const capture = blocked ? { ...result.capture, blocked } : result.capture;
  const mayKeep = isWhole && (!blocked || isPlainRefusal(blocked, capture));
  const lacking = lacksOf(engine, browserFeatures);
  const lacks = [...new Set([...(capture.lacks ?? []), ...lacking])];
  if (lacks.length === 0) return { capture, isWhole: mayKeep };
  if (isShown && lacking.includes("actions")) throw new ServiceError("SCRAPE_ACTIONS_NOT_SUPPORTED");
  // No engine returns more of a file.
  return { capture: { ...capture, lacks }, isWhole: mayKeep && !isShown };
}

/** Whether the status alone says that this is not the page, as every reader of a stored answer sees. */
function isPlainRefusal({ kind, system }: Blocked, { statusCode }: Capture): boolean {
  return statusCode >= 400 && system === undefined && (kind === "denied" || kind === "maintenance");
}

function errorOf({ code, message, cause }: Refusal, tried: readonly string[]): ServiceError {
  if (code !== "SCRAPE_ALL_ENGINES_FAILED") return new ServiceError(code, { message, cause });
  const opening = "All scraping engines failed to retrieve content from this URL.";
  return new ServiceError(code, {
    message: `${opening} Engines tried: [${tried.join(", ")}]. ${message}`,
    cause,
  });
}
