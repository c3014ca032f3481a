import { kindNamed } from "../file-kinds/all.ts";
import { detectFile } from "../file-kinds/detect.ts";
import type { ErrorCode } from "../../api/error-codes.ts";
import { type Capture, isAttachment } from "../capture.ts";
import { type Engine, type EngineResult, isRefusal, type Refusal } from "../engine.ts";
import type { Blocked } from "./blocked.ts";
import { wallInsteadOfDocument } from "./promised-document.ts";
import { judgeStaticPage, type StaticJudgement } from "./static-page.ts";

/** Statuses that refuse where there is no page to judge (contract, section 3.21). */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([403, 429]);

/** Result of an engine, judged once. */
export interface Judged {
  readonly engine: Engine;
  readonly engineResult: EngineResult;
  readonly capture: Capture;
  /** Whether browsers render it as a page. */
  readonly isPage: boolean;
  /** Whether a browser can display it. */
  readonly isShown: boolean;
  /** Undefined for anything but pages and empty bodies. */
  readonly judgement: StaticJudgement | undefined;
  /** Why the page is not the one that was asked for. */
  readonly blocked: Blocked | undefined;
  /** Whether the site refused access, by a page that is not the one asked for, or without any page. */
  readonly isBlocked: boolean;
  /** Whether the host asks to be left alone for a time. */
  readonly asksForPause: boolean;
  /** Error for a page that came in place of a promised document. */
  readonly wall: ErrorCode | undefined;
}

/** Judges the result of an engine. Refusals are returned unchanged. */
export async function judge(engine: Engine, engineResult: EngineResult | Refusal): Promise<Judged | Refusal> {
  if (isRefusal(engineResult)) return engineResult;
  const { body, contentType, url, statusCode, isUnchanged } = engineResult.capture;
  if (isUnchanged) return unchanged(engine, engineResult);
  const file = await detectFile(body, contentType, url);
  const isEmpty = body.byteLength === 0;
  const inBrowser = isAttachment(engineResult.capture) ? "not-shown" : kindNamed(file.kind).inBrowser;
  const isPage = inBrowser === "rendered";
  const judgement = isPage || isEmpty ? judgeStaticPage(engineResult.capture) : undefined;
  const isLogin = judgement?.asksPassword === true && leadsElsewhere(engineResult.capture);
  const capture = { ...engineResult.capture, file, ...(isLogin && { isLogin }) };
  const wall = wallInsteadOfDocument(capture, isPage);
  const blocked = judgement?.blocked;
  const isRefusing = REFUSING_STATUSES.has(statusCode) && (!isPage || isEmpty);
  const isBlocked = blocked !== undefined || wall !== undefined || isRefusing;
  const isShown = inBrowser !== "not-shown";
  const page = { isPage, isShown, judgement, blocked, isBlocked, wall };
  return { engine, engineResult, capture, ...page, asksForPause: asksForPause(capture) };
}

/** The known page was judged when it was stored. */
function unchanged(engine: Engine, engineResult: EngineResult): Judged {
  const nothing = {
    isPage: false,
    isShown: false,
    judgement: undefined,
    blocked: undefined,
    wall: undefined,
  };
  const { capture } = engineResult;
  return { engine, engineResult, capture, ...nothing, isBlocked: false, asksForPause: false };
}

/** Whether the visit ended at another path than it began. */
function leadsElsewhere({ requestedUrl, url }: Capture): boolean {
  return new URL(requestedUrl).pathname.replace(/\/$/, "") !== new URL(url).pathname.replace(/\/$/, "");
}

function asksForPause({ statusCode, headers }: Capture): boolean {
  const after = headers["retry-after"] ?? "";
  return (statusCode === 429 || statusCode === 503) && /[1-9]/.test(after);
}

export function isRefused(result: object): result is Refusal {
  return "code" in result;
}
