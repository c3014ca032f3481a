import { detectFile, type FileKind } from "../../content/file-kind.ts";
import type { Capture } from "../capture.ts";
import type { Brought } from "../engine.ts";
import { judgeStaticPage, type StaticJudgement } from "./static-page.ts";

/** Answers that a stronger disguise may turn into the page (contract, section 3.21). */
const KEEPS_OUT: ReadonlySet<number> = new Set([401, 403, 429]);
/** Kinds of files that a browser shows as they are, so that it can take pictures of them. */
const SHOWN: ReadonlySet<FileKind> = new Set(["html", "json", "xml", "markdown", "text", "code", "image"]);

/** What an engine brought, looked at once. */
export interface Examined {
  readonly brought: Brought;
  readonly capture: Capture;
  readonly isPage: boolean;
  /** Whether a browser has anything to show. */
  readonly isShown: boolean;
  /** Undefined for anything but pages and empty bodies. */
  readonly judgement: StaticJudgement | undefined;
  /** The site did not let us in: by its status, or with a page that wants proof of being human. */
  readonly isKeptOut: boolean;
}

export async function examine(brought: Brought): Promise<Examined> {
  const { capture } = brought;
  const { body, contentType, url, statusCode } = capture;
  const isEmpty = body.byteLength === 0;
  const { kind } = await detectFile(body, contentType, url);
  const isPage = kind === "html";
  const judgement = isPage || isEmpty ? judgeStaticPage(capture) : undefined;
  const isKeptOut = KEEPS_OUT.has(statusCode) || Boolean(judgement?.isChallenge);
  return { brought, capture, isPage, isShown: SHOWN.has(kind), judgement, isKeptOut };
}
