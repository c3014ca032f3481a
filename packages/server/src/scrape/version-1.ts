import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { codedStatuses } from "../api/error-codes.ts";
import { success } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success } from "../api/operator-fields.ts";
import { defineOperation } from "../api/operation.ts";
import { ScrapeAnswer } from "./answer/schema.ts";
import { exampleDocument } from "./answer/shape.ts";
import { startJob } from "./request/job.ts";
import { type RunServices, runScrape } from "./run.ts";
import { leavesNothing, recordScrape } from "./operations.ts";
import { asksForExtract, version2OptionsOf } from "./version-1-options.ts";

/** A page in a response of version 1. */
const Document1 = lazy(() =>
  ScrapeAnswer.shape.data.extend({
    extract: z.unknown().optional().describe("With the format extract: what version 2 calls json."),
  }),
);

export const scrape1 = defineOperation({
  line: "POST /v1/scrape",
  tag: "Version 1",
  summary: "Scrape one page",
  endpoint: "scrape",
  rate: "scrape",
  isPaid: true,
  body: defineShape(
    "ScrapeRequest1",
    () =>
      z
        .looseObject({ url: z.string().max(limits.urlLength) })
        .describe("As in version 2, with the formats of version 1."),
    { url: "https://example.com", formats: ["markdown", "screenshot@fullPage"] },
  ),
  answer: defineShape(
    "ScrapeAnswer1",
    () => z.strictObject({ success: Success, data: Document1(), warning: z.string().optional() }),
    { success, data: exampleDocument },
  ),
  errors: codedStatuses,
  async handle(call, services: RunServices) {
    const { id, caller, linkBase, body, signal, startedAtMs } = call;
    if (leavesNothing(call)) call.keepPrivate();
    const job = startJob(services.plan(version2OptionsOf(body)), { id, caller, linkBase, startedAtMs });
    const { answer, facts } = await runScrape(job, services, signal);
    recordScrape(call, job, facts.cacheState);
    const data = answer.data(facts);
    const { warning } = data;
    return { success: true, data: asksForExtract(body) ? withExtract(data) : data, warning };
  },
});

/** Returns a document of version 2 with its `json` as `extract`. */
function withExtract<Data extends { readonly json?: unknown }>({ json, ...data }: Data) {
  return json === undefined ? data : { ...data, extract: json };
}
