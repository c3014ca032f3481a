import { ForbiddenError, ServiceError } from "../../api/errors.ts";
import type { Team } from "../../accounts/teams.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { actionNamed } from "../../fetch/actions/requested-action.ts";
import { undoneOptions, undoneSentence } from "../formats/coverage.ts";
import { formatRequests } from "./formats.ts";
import type { ScrapeOptions } from "./schema.ts";

/** `none` means zero data retention or lockdown. */
export type Retention = "usual" | "none";

const NO_CLEANING = "onlyCleanContent is not supported with zero data retention.";

/** @throws ForbiddenError when the request asks for zero data retention without permission of the team. */
export function refuseRetention(
  { zeroDataRetention }: Pick<ScrapeOptions, "zeroDataRetention">,
  { flags }: Team,
): void {
  if (!zeroDataRetention || flags.zeroDataRetention !== "off") return;
  throw new ForbiddenError(
    "Zero Data Retention (ZDR) is not enabled for your team. The operator of this service can enable it.",
  );
}

/** Retention by the request's own options, or because its team never stores data. */
export function retentionOf(
  { zeroDataRetention, lockdown }: Pick<ScrapeOptions, "zeroDataRetention" | "lockdown">,
  { flags }: Team,
): Retention {
  return zeroDataRetention || lockdown || flags.zeroDataRetention === "forced" ? "none" : "usual";
}

/** A request without the parts that need storage, and sentences that explain the omissions. */
interface ReducedRequest<Request extends ScrapeOptions> {
  readonly request: Request;
  readonly warnings: readonly string[];
}

/**
 * Removes the parts of a request that would leave data behind (contract, section 3.29).
 * @throws ServiceError SCRAPE_ZDR_VIOLATION_ERROR when nothing useful would be left. Lockdown makes nothing
 * new, so it violates nothing.
 */
export function reduceRequest<Request extends ScrapeOptions>(request: Request): ReducedRequest<Request> {
  if (!request.lockdown) refuseKeeping(request);
  const formats = request.formats.filter(({ type }) => sentenceOf(type) === undefined);
  const sentences = request.formats.flatMap(({ type }) => sentenceOf(type) ?? []);
  if (request.onlyCleanContent) sentences.push(NO_CLEANING);
  if (request.lockdown) sentences.push(...leftToCopy(request));
  return {
    request: { ...request, formats, onlyCleanContent: false, storeInCache: false },
    warnings: [...new Set(sentences)],
  };
}

/** The part of a request that zero data retention neither refuses nor leaves out. */
export function lastingPart<Request extends ScrapeOptions>(request: Request): Request {
  if (!request.zeroDataRetention && !request.lockdown) return request;
  const formats = request.formats.filter(({ type }) => sentenceOf(type) === undefined && !keepsFile(type));
  return { ...request, formats, onlyCleanContent: false };
}

/** Warning for a format that is left out when nothing may be kept. Undefined when it is not left out. */
function sentenceOf(type: string): string | undefined {
  return ownProperty(formatRequests, type)?.retention?.leftOut;
}

function keepsFile(type: string): boolean {
  return ownProperty(formatRequests, type)?.retention?.keepsFile === true;
}

/** Other parts of a request that no stored page can fulfil. */
function leftToCopy(request: ScrapeOptions): readonly string[] {
  const undone = undoneOptions({ ...request, onlyCleanContent: false }, "copy");
  const sizes = request.formats.flatMap((format) =>
    format.type === "screenshot" && (format.fullPage || format.quality !== undefined || format.viewport)
      ? [{ name: "size and quality of the screenshot", why: "it is as it was stored" }]
      : [],
  );
  if (undone.length + sizes.length === 0) return [];
  return [undoneSentence("Not done in lockdown, which answers from a stored copy", [...undone, ...sizes])];
}

function refuseKeeping({ formats, actions, profile }: ScrapeOptions): void {
  const format = formats.find(({ type }) => keepsFile(type));
  const action = actions.find(({ type }) => actionNamed(type).keepsFile);
  const feature = format?.type ?? action?.type ?? (profile?.saveChanges ? "profile" : undefined);
  if (feature === undefined) return;
  throw new ServiceError("SCRAPE_ZDR_VIOLATION_ERROR", {
    message: `The feature "${feature}" is not available when using Zero Data Retention (ZDR) mode. Leave it out, or scrape without zeroDataRetention.`,
  });
}
