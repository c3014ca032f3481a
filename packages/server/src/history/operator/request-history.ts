import { basename } from "node:path";
import { buffer } from "node:stream/consumers";

import { tellOfChange } from "../../accounts/audit-actor.ts";
import { type Caller, callerOf, type Callers } from "../../accounts/callers.ts";
import { NotFoundError } from "../../api/errors.ts";
import { limits } from "../../api/limits.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import { earlierAnswer } from "../../scrape/replay.ts";
import type { RunServices } from "../../scrape/run.ts";
import type { Files } from "../../files/files.ts";
import type { ScrapeRecord } from "../scrape-rows.ts";
import type { Picture } from "./compare-screenshots.ts";

/** Work without a page, as it is run again. */
interface RepeatedWork {
  run(
    call: { readonly caller: Caller; readonly linkBase: string; readonly body: unknown },
    isGone: AbortSignal,
  ): Promise<{ readonly id: string }>;
}

export interface HistoryServices {
  /** By the kind of their records. */
  readonly repeated: Readonly<Record<string, RepeatedWork>>;
  readonly toolAnswers: { answer(scrapeId: string): Promise<string | undefined> };
  readonly services: RunServices;
  readonly callers: Callers;
  readonly files: Files;
}

/** @throws NotFoundError when there is no request of this id. */
export async function recordNamed(id: string, { services }: HistoryServices): Promise<ScrapeRecord> {
  const found = await services.records.get(id);
  if (!found) throw new NotFoundError("Request not found. Requests are stored for 30 days.");
  tellOfChange({ teamId: found.teamId });
  return found.record;
}

/** The answer of the request, while it is kept. */
export async function keptAnswerOf(
  { id, teamId, status }: ScrapeRecord,
  { services, callers }: HistoryServices,
  signal: AbortSignal,
): Promise<ScrapeData | undefined> {
  if (status === "failed") return undefined;
  const { team } = await callers.ofTeam(teamId);
  const deadlineMs = Date.now() + limits.timeoutMs.default;
  // Links without a host work wherever the operator's browser is.
  return earlierAnswer(id, services, { caller: callerOf(team), linkBase: "", signal, deadlineMs });
}

/** What a map, a search or tools answered, as JSON, while it is kept. */
export async function workAnswerOf(
  { id, kind, answerKey, createdAtMs }: ScrapeRecord,
  { services, toolAnswers }: Pick<HistoryServices, "services" | "toolAnswers">,
): Promise<string | undefined> {
  if (Date.now() - createdAtMs > limits.keptMs.answers) return undefined;
  if (kind === "tool") return toolAnswers.answer(id);
  return answerKey === undefined ? undefined : services.records.answer(answerKey);
}

/** The screenshot that an answer links to. */
export async function screenshotOf(
  { screenshot: link }: ScrapeData,
  { files }: HistoryServices,
): Promise<Picture | undefined> {
  if (typeof link !== "string") return undefined;
  const { pathname, search } = new URL(link, "http://localhost");
  return { link: pathname + search, bytes: await fileBehind(link, files) };
}

/** The file of a link; undefined when it is gone. */
export async function fileBehind(link: string, files: Files): Promise<Buffer | undefined> {
  const { pathname, searchParams } = new URL(link, "http://localhost");
  const found = await files.open({
    name: basename(pathname),
    expires: searchParams.get("expires") ?? "",
    signature: searchParams.get("signature") ?? "",
  });
  const content = found === undefined || found === "expired" ? undefined : await found.read();
  return content && buffer(content);
}
