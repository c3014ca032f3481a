import { ServiceError } from "../../contract/errors.ts";
import { plannedFormats } from "../formats/planned.ts";
import type { ScrapeRequest } from "./schema.ts";

/** What a request may ask for and the service cannot do yet. The only list of its kind; it has to become empty. */
const notImplemented: readonly { name: string; isAsked: (request: ScrapeRequest) => boolean }[] = [
  ...Object.keys(plannedFormats).map((type) => ({
    name: `The ${type} format`,
    isAsked: ({ formats }: ScrapeRequest) => formats.some((format) => format.type === type),
  })),
  { name: "onlyCleanContent", isAsked: (request) => request.onlyCleanContent },
  { name: "redactPII", isAsked: (request) => request.redactPII !== false },
  { name: "domainTools", isAsked: (request) => request.domainTools },
  { name: "checkPromptInjection", isAsked: (request) => request.checkPromptInjection },
];

/** @throws ServiceError NOT_IMPLEMENTED that names the first thing asked for that is not built yet. */
export function refuseNotImplemented(request: ScrapeRequest): void {
  const missing = notImplemented.find(({ isAsked }) => isAsked(request));
  if (missing) throw notAvailable(missing.name);
}

/** The refusal of something that is not built yet. */
export function notAvailable(name: string): ServiceError {
  return new ServiceError("NOT_IMPLEMENTED", { message: `${name} is not available yet.` });
}
