import { z } from "zod";

import type { ScrapeJob } from "./request/job.ts";

/** Details of a scrape for the operator: the request, the timings and the message. */
export const ScrapeDetails = z.object({
  kept: z.object({ body: z.json(), masked: z.array(z.string()) }).optional(),
  /** Name, milliseconds, and from when on; the last is missing in old ones. */
  timings: z.array(z.tuple([z.string(), z.number()]).rest(z.number())).default([]),
  /** The message of a failure, or the warning of an answer. */
  message: z.string().optional(),
  /** Why the first way to the page was not enough. */
  climbed: z.object({ from: z.string(), because: z.string() }).optional(),
  /** Number of pages of the document that were parsed. */
  pages: z.number().optional(),
  /** Link to the file with those pages, where the cache does not keep it. */
  file: z.string().optional(),
});

export type ScrapeDetails = z.output<typeof ScrapeDetails>;

const MAX_MESSAGE_LENGTH = 4000;

/** As JSON. */
export function detailsOf(
  { kept }: Pick<ScrapeJob, "kept">,
  { timings, message, climbed, pages, file }: Omit<ScrapeDetails, "kept">,
): string {
  const rest = JSON.stringify({
    timings,
    message: message?.slice(0, MAX_MESSAGE_LENGTH),
    climbed,
    pages,
    file,
  });
  const body = kept?.();
  return body === undefined ? rest : `{"kept":${body},${rest.slice(1)}`;
}

/** Parses stored details; unknown parts are left out. */
export function readDetails(text: string | undefined): ScrapeDetails {
  const parsed = text === undefined ? undefined : ScrapeDetails.safeParse(JSON.parse(text));
  return parsed?.data ?? { timings: [] };
}
