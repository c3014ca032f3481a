import { kindNamed } from "../file-kinds/all.ts";
import { detectFile } from "../file-kinds/detect.ts";
import type { ErrorCode } from "../../api/error-codes.ts";
import { type Capture, isAttachment } from "../capture.ts";
import { type Engine, type EngineResult, isRefusal, type Refusal } from "../engine.ts";
import { wallInsteadOfDocument } from "./promised-document.ts";
import { judgeStaticPage, type StaticJudgement } from "./static-page.ts";

/** Answers that a stronger disguise may turn into the page (contract, section 3.21). */
const BLOCKING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** What an engine came back with, judged once. */
export interface Judged {
  readonly engine: Engine;
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
  /** The error of a page that came where a document was promised. */
  readonly wall: ErrorCode | undefined;
}

/** Judges what an engine came back with. A refusal stays one. */
export async function judge(engine: Engine, engineResult: EngineResult | Refusal): Promise<Judged | Refusal> {
  if (isRefusal(engineResult)) return engineResult;
  const { body, contentType, url, statusCode } = engineResult.capture;
  const file = await detectFile(body, contentType, url);
  const capture = { ...engineResult.capture, file };
  const isEmpty = body.byteLength === 0;
  const inBrowser = isAttachment(capture) ? "not-shown" : kindNamed(file.kind).inBrowser;
  const isPage = inBrowser === "rendered";
  const judgement = isPage || isEmpty ? judgeStaticPage(capture) : undefined;
  const wall = wallInsteadOfDocument(capture, isPage);
  const isBlocked =
    BLOCKING_STATUSES.has(statusCode) || Boolean(judgement?.isChallenge) || wall !== undefined;
  const isShown = inBrowser !== "not-shown";
  return { engine, engineResult, capture, isPage, isShown, judgement, isBlocked, wall };
}

export function isRefused(result: object): result is Refusal {
  return "code" in result;
}
