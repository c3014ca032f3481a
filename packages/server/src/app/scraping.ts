import { openPageThreads } from "../scrape/page/threads.ts";
import { ServiceError } from "../api/errors.ts";
import { Gate } from "@pergamon-dev/kit/gate";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import { openPages } from "../scrape/page/pages.ts";
import { openTextCounter } from "../scrape/page/readable-text.ts";
import { type CompareVersions, compareSmallHere } from "../scrape/page/version-comparison.ts";
import { openThreatClassifier } from "../fetch/threats/drivers.ts";
import { openAnswers } from "../scrape/answer/answers.ts";
import { openChangingBlockedSites } from "../scrape/request/blocked-sites.ts";
import { openPlanner } from "../scrape/request/job.ts";
import { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { RunServices } from "../scrape/run.ts";
import { Robots } from "../fetch/site/robots.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { BrowserStage } from "../fetch/stages/stage.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, type LentThreads, reporter } from "./context.ts";
import { openDocumentReading } from "./documents.ts";
import { openAsking } from "./language-models.ts";
import type { RetainedData } from "./retained-data.ts";
import { openMediaTools } from "./media.ts";
import { openReadersOf } from "./readers.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";
import { openVisits } from "./visits.ts";

/** The answer to a client that comes when too much waits already. */
const RETRY_AFTER_SECONDS = 5;

interface ScrapingNeeds {
  readonly stores: Stores;
  readonly network: Network;
  readonly accounts: Accounts;
  readonly kept: RetainedData;
  readonly charges: RunServices["charges"];
  readonly gate: Gate;
  readonly countScrape: RunServices["countScrape"];
  readonly models: LanguageModels;
}

export interface Scraping {
  /** Everything that a scrape works with. */
  readonly services: RunServices;
  /** What pages of sessions are opened with. */
  readonly sessionStages: readonly BrowserStage[];
  /** Holds addresses against patterns, on a thread. */
  readonly matchPatterns: MatchPatterns;
  /** Compares versions of pages, large ones on a thread. */
  readonly compareVersions: CompareVersions;
}

export async function openScraping(context: AppContext, needs: ScrapingNeeds): Promise<Scraping> {
  const { config, log } = context;
  const { stores, network, accounts, kept, charges, gate, countScrape, models } = needs;
  const { credits, limits, revocations } = accounts;
  const threads = openThreads(context);
  const pages = openPages(threads);
  const compareVersions = compareSmallHere(threads.compareVersions);
  const { ladder, sessionStages } = openVisits(context, {
    stores,
    network,
    kept,
    countText: openTextCounter(pages),
  });
  const blockedSites = openChangingBlockedSites(() => config.scraping.blockedDomains);
  const asking = openAsking(context, models);
  const readers = openReadersOf(context.config);
  const fetching = { ladder, cache: kept.captures, coordinator: stores.coordinator, gate, log, blockedSites };
  const services = {
    ...fetching,
    plan: openPlanner(scrapeRequestSchema(network.admitsHost), blockedSites),
    answers: openAnswers({
      pages,
      files: kept.files,
      captures: kept.captures,
      get askFor() {
        return asking();
      },
      versions: kept.versions,
      media: openMediaTools(context, network, readers),
      compareVersions,
      hasDiffObjects: config.scraping.hasDiffObjects,
    }),
    documents: openDocumentReading(context, kept, readers),
    records: kept.records,
    files: kept.files,
    pageIndex: kept.pageIndex,
    keepsRequests: context.config.server.hasDashboard,
    replays: kept.replays,
    charges,
    credits,
    limits,
    revocations,
    countScrape,
    threatClassifier: await openClassifier(context, network),
    robots: new Robots(fetching, config.crawling.robotsAgent),
  };
  return { services, sessionStages, matchPatterns: threads.matchPatterns, compareVersions };
}

/** Bounds how many pages are fetched at once, and how many wait for that. */
export function openGate({ config }: AppContext): Gate {
  return new Gate(config.scraping.concurrency, {
    most: config.scraping.queue,
    overflow: () => new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
}

function openClassifier({ config }: AppContext, { client }: Network) {
  const { classifier } = config.threats;
  return classifier && openThreatClassifier(classifier.url, { client, ...classifier });
}

/** The threads on which larger pages are computed and compared. None is started before it is needed. */
function openThreads({ config, log, resources, lent }: AppContext): LentThreads["pageThreads"] {
  if (lent) return lent.pageThreads;
  const onError = reporter(log, "A worker thread died.");
  return resources.add(openPageThreads({ most: config.scraping.workerThreads, onError }), (opened) =>
    opened.close(),
  );
}
