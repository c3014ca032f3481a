import { openProcessPool } from "@pergamon-dev/documents/pool";
import { latest } from "@pergamon-dev/kit/latest";
import { locateProgram } from "@pergamon-dev/kit/process/programs";
import { Charges } from "../accounts/charges.ts";
import type { Accounts } from "../accounts/open.ts";
import { limits } from "../api/limits.ts";
import { type Context, reporter } from "../config/context.ts";
import type { Fetching } from "../fetch/open.ts";
import { Robots } from "../fetch/site/robots.ts";
import type { FileContext } from "../files/open.ts";
import type { History } from "../history/open.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { Net } from "../net/open.ts";
import { openHiddenReaders } from "../sandbox/open.ts";
import type { Readers } from "../sandbox/readers/readers.ts";
import type { ModelContext } from "../storage/models/open.ts";
import type { Storage } from "../storage/open.ts";
import { PARTS } from "../storage/part-health.ts";
import { openAnswers } from "./answer/answers.ts";
import { openAsk } from "./ask.ts";
import { type Documents, openDocuments } from "./documents/documents.ts";
import { openPageVersions } from "./diff/page-versions.ts";
import type { AskFor } from "./formats/ask.ts";
import { openFfmpeg } from "./media/ffmpeg.ts";
import { type Media, openMedia } from "./media/media.ts";
import { openYtDlp } from "./media/yt-dlp.ts";
import type { PageContext } from "./page/open.ts";
import { openChangingBlockedSites } from "./request/blocked-sites.ts";
import { openPlanner } from "./request/job.ts";
import { scrapeRequestSchema } from "./request/schema.ts";
import type { RunServices } from "./run.ts";

export interface Scraping {
  readonly services: RunServices;
}

type ScrapeContext = Context &
  Storage &
  Net &
  Accounts &
  History &
  FileContext &
  PageContext &
  Fetching &
  ModelContext & { readonly metrics: Pick<RunServices, "countScrape"> };

export function openScrape(context: ScrapeContext): Scraping {
  const { config, resources, admitsHost, teamData, metrics } = context;
  const blockedSites = openChangingBlockedSites(() => config.scraping.blockedDomains);
  const asking = openAsking(context);
  const readers = openHiddenReaders(config);
  const services = {
    ...context,
    blockedSites,
    plan: openPlanner(scrapeRequestSchema(admitsHost), blockedSites),
    answers: openAnswers({
      ...context,
      pages: context.views,
      captures: context.cache,
      get askFor() {
        return asking();
      },
      versions: teamData.add(openPageVersions(context)),
      media: openMediaTools(context, readers),
      hasDiffObjects: config.scraping.hasDiffObjects,
    }),
    documents: openDocumentReading(context, readers),
    keepsRequests: config.server.hasDashboard,
    charges: new Charges<ScrapeRecord>(context),
    countScrape: metrics.countScrape,
    robots: new Robots({ ...context, blockedSites }, config.crawling.robotsAgent),
  };
  resources.whenIdle(() => services.answers.letGo());
  return { services };
}

/** Returns the model access of formats. Undefined while no language model is set. */
function openAsking({ config, log, models }: Context & ModelContext): () => AskFor | undefined {
  return latest(
    () => config.languageModel,
    ({ isConfigured, maxInputTokens, maxOutputTokens }) => {
      if (!isConfigured) return undefined;
      return openAsk({
        models,
        maxInputTokens,
        maxOutputTokens,
        onFailure: ({ kind, message }) => log.warn({ kind }, message),
      });
    },
  );
}

/** Reads documents. No process starts before it is needed. */
function openDocumentReading(
  { config, log, resources, readings, health }: ScrapeContext,
  readers: Readers,
): Documents {
  const pool = openProcessPool({
    maxProcesses: config.scraping.workerThreads,
    processes: readers,
    pathVariable: config.programs.pathVariable,
    tesseractPath: config.programs.tesseractPath,
    onCrash: reporter(log, "A document ended the process that read it."),
    onUse: ({ reader, ...use }) => health.note({ part: PARTS[reader], ...use }),
  });
  resources.add(pool, (opened) => opened.close());
  return openDocuments({ pool, results: readings });
}

/** Gets sound and videos with the installed programs. */
function openMediaTools({ config, client, guard }: ScrapeContext, readers: Readers): Media {
  const { ffmpegPath, ytDlpPath, pathVariable } = config.programs;
  const proxyOfAll = () => config.network.proxies[0];
  const shared = {
    readers,
    guard,
    proxy: proxyOfAll,
    timeLimitMs: limits.mediaProgramMs,
    maxBytes: limits.mediaBytes,
  };
  const find = async (configured: string | undefined, name: string) =>
    configured ?? (await locateProgram(name, pathVariable));
  return openMedia({
    client,
    get proxy() {
      return proxyOfAll();
    },
    maxBytes: limits.mediaBytes,
    converter: find(ffmpegPath, "ffmpeg").then((path) =>
      path ? openFfmpeg({ path, ...shared }) : undefined,
    ),
    pageMedia: find(ytDlpPath, "yt-dlp").then((path) =>
      path ? openYtDlp({ path, pathVariable, ...shared }) : undefined,
    ),
  });
}
