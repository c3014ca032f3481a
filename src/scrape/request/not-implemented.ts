import { ServiceError } from "../../contract/errors.ts";
import { plannedFormats } from "../formats/planned.ts";
import { own } from "../../kit/own.ts";
import { formatRequests } from "./formats.ts";
import type { ScrapeRequest } from "./schema.ts";

interface Missing {
  readonly name: string;
  /** Options that mean something only beside it; alone they are accepted and have no effect. */
  readonly refinedBy?: readonly string[];
  isAsked(request: ScrapeRequest): boolean;
}

/** Options that a request may set and the service cannot follow yet. The only list of its kind; it has to become empty. */
export const missingOptions: readonly Missing[] = [
  { name: "checkPromptInjection", isAsked: (request) => request.checkPromptInjection },
];

const missingFormats: readonly Missing[] = Object.keys(plannedFormats).map((type) => ({
  name: `The ${type} format`,
  isAsked: ({ formats }) => formats.some((format) => format.type === type),
}));

/** @throws ServiceError NOT_IMPLEMENTED that names the first thing asked for that is not built yet. */
export function refuseNotImplemented(request: ScrapeRequest): void {
  const missing = [...missingFormats, ...missingOptions].find(({ isAsked }) => isAsked(request));
  const name = missing?.name ?? missingMode(request);
  if (name !== undefined) throw notAvailable(name);
}

/** What options of a format that is built ask for in vain. */
function missingMode({ formats }: ScrapeRequest): string | undefined {
  return formats.map((options) => own(formatRequests, options.type)?.missing?.(options)).find(Boolean);
}

/** The refusal of something that is not built yet. */
export function notAvailable(name: string): ServiceError {
  return new ServiceError("NOT_IMPLEMENTED", { message: `${name} is not available yet.` });
}
