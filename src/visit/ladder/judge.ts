import { kindNamed } from "../../content/kinds/all.ts";
import { detectFile } from "../../content/kinds/detect.ts";
import type { Capture } from "../capture.ts";
import type { EngineResult } from "../engine.ts";
import { judgeStaticPage, type StaticJudgement } from "./static-page.ts";

/** Answers that a stronger disguise may turn into the page (contract, section 3.21). */
const BLOCKING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** What an engine came back with, judged once. */
export interface Judged {
  readonly engineResult: EngineResult;
  readonly capture: Capture;
  /** Whether a browser makes of it what people see. */
  readonly isPage: boolean;
  /** Whether a browser has anything to show. */
  readonly isShown: boolean;
  /** Undefined for anything but pages and empty bodies. */
  readonly judgement: StaticJudgement | undefined;
  /** The site did not let us in: by its status, or with a page that wants proof of being human. */
  readonly isBlocked: boolean;
}

export async function judge(engineResult: EngineResult): Promise<Judged> {
  const { capture } = engineResult;
  const { body, contentType, url, statusCode } = capture;
  const isEmpty = body.byteLength === 0;
  const { inBrowser } = kindNamed((await detectFile(body, contentType, url)).kind);
  const isPage = inBrowser === "rendered";
  const judgement = isPage || isEmpty ? judgeStaticPage(capture) : undefined;
  const isBlocked = BLOCKING_STATUSES.has(statusCode) || Boolean(judgement?.isChallenge);
  return { engineResult, capture, isPage, isShown: inBrowser !== "not-shown", judgement, isBlocked };
}
