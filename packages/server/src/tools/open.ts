import { releaseAbandonedHolds } from "../accounts/abandoned-holds.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { ServiceCalls } from "../net/service-call.ts";
import { startJob } from "../scrape/request/job.ts";
import { runScrape, type RunServices } from "../scrape/run.ts";
import { firecrawlProvider } from "./builtin/firecrawl.ts";
import { pergamonProvider, type ScrapeForData } from "./builtin/pergamon.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { Provider } from "./catalogue/provider.ts";
import type { KindServices } from "./kinds/all.ts";
import { OperatorProviders } from "./operator-providers.ts";
import { mountProviders } from "./providers-file.ts";
import { OptionsValidator } from "./requests/options-validator.ts";
import { openSecretMask } from "./requests/secret-mask.ts";
import { AcceptedTerms } from "./requests/terms.ts";
import { type AskedCall, findCall, runTools, type ToolRequest, type ToolServices } from "./run-tools.ts";
import { answerTools } from "./operations.ts";
import { requireProviderTools } from "./requests/gates.ts";
import { highestPrice } from "./requests/price.ts";
import { describeTool } from "./discovery/describe-tool.ts";
import { domainTools, prepareDomainTools } from "./discovery/domain-tools.ts";
import { findForSearch, refuseSearch, type ToolSearch } from "./discovery/search-tools.ts";
import type { CatalogueTool } from "./catalogue/tool-index.ts";
import type { TeamCall } from "../api/call.ts";
import type { Team } from "../accounts/teams.ts";
import { shippedProviders } from "./shipped-providers.ts";
import type { Accounts } from "../accounts/open.ts";
import { type Context, reporter } from "../config/context.ts";
import type { Net } from "../net/open.ts";
import type { Scraping } from "../scrape/open.ts";
import type { Storage } from "../storage/open.ts";
import { RequestRows } from "./requests/request-rows.ts";
import type { CallResult } from "./requests/execute.ts";

/** Bounds of one call's answer. Providers may send less than this. */
const ANSWER_BOUNDS = { maxBytes: 32 * 1024 * 1024, maxValues: 500_000 } as const;

type ToolsBelow = Context & Storage & Net & Accounts & Scraping;

export type ProviderTools = ReturnType<typeof usesOf>;

/** The services of provider tools, with those that the operator's interface needs. */
export interface OpenedTools extends ToolServices, ProviderTools {
  /** Providers from PROVIDERS_FILE; undefined without that setting. */
  readonly own: OperatorProviders | undefined;
}

export interface ToolsContext {
  readonly tools: OpenedTools;
}

/** @throws Error when PROVIDERS_FILE has mistakes. */
export function openTools(context: ToolsBelow): ToolsContext {
  const { config, log, database, services, guard } = context;
  const terms = new AcceptedTerms(database);
  const builtin = [
    firecrawlProvider({ catalogue: () => catalogue, terms }),
    pergamonProvider(scrapeWith(services)),
  ];
  const catalogue: Catalogue = new Catalogue(builtin);
  const calls = context.resources.add(new ServiceCalls(guard), (opened) => opened.close());
  const kinds = kindServicesOf(context, calls);
  const schemas = context.resources.add(new ForeignThread(), (opened) => opened.close());
  const source = "The shipped catalogue";
  const shipped = mountProviders(shippedProviders, { source, services: { ...kinds, folder: "" } }).map(
    ({ provider }) => provider,
  );
  const own = openOwn(context, kinds, (providers) => catalogue.replace([...shipped, ...providers]));
  catalogue.replace([...shipped, ...(own?.providers ?? [])]);
  const tools: ToolServices = {
    ...context,
    catalogue,
    terms,
    rows: context.teamData.add(new RequestRows(database, Date.now)),
    charges: services.charges,
    noteEndedProcesses: () => releaseAbandonedHolds(context),
    mask: kinds.mask,
    isOnByDefault: config.accounts.auth === "open",
    validator: new OptionsValidator(schemas),
    onError: reporter(log, "A provider tool failed unexpectedly."),
    clock: Date.now,
  };
  return { tools: { ...tools, ...usesOf(tools), own } };
}

function usesOf(services: ToolServices) {
  const { catalogue, isOnByDefault } = services;
  return {
    /** @throws as `requireProviderTools`. */
    require: (team: Team, isPrivate = false) => requireProviderTools(team, isOnByDefault, isPrivate),
    answer: (call: TeamCall) => answerTools(call, services),
    /** Runs a request with one call and returns its result. */
    async call(asked: AskedCall, order: Omit<ToolRequest, "calls">, signal: AbortSignal) {
      const data = await readResults(await runTools({ ...order, calls: [asked] }, services), signal);
      return { result: data.alexandria[0], creditsCost: data.creditsCost };
    },
    /** @throws ServiceError when the tool does not exist. */
    find: (call: AskedCall, signal: AbortSignal) => findCall(call, catalogue, signal),
    /** Maximum price of one call. */
    priceOf: (tool: CatalogueTool) => highestPrice([tool]),
    describe: describeTool,
    prepareDomain: (page: Parameters<typeof prepareDomainTools>[0]) => prepareDomainTools(page, services),
    ofDomain: (page: Parameters<typeof domainTools>[0]) => domainTools(page, services),
    refuseSearch: (search: ToolSearch) => refuseSearch(search, services),
    findForSearch: (search: ToolSearch, urls: readonly string[]) => findForSearch(search, urls, services),
  };
}

/** Opens the operator's own providers, which are reloaded when their file changes. */
function openOwn(
  { config, log, resources }: Context,
  services: Omit<KindServices, "folder">,
  use: (providers: readonly Provider[]) => void,
): OperatorProviders | undefined {
  const file = config.tools.providersFile;
  if (file === undefined) return undefined;
  const own = new OperatorProviders({
    file,
    services,
    onChange(providers, change) {
      use(providers);
      log.info(change, "The providers file was reloaded.");
    },
    onRefusal: (reason) =>
      log.error({ reason }, "The changed providers file is invalid. The previous providers stay in use."),
  });
  return resources.add(own, (opened) => opened.close());
}

function kindServicesOf(
  { config: { tools }, log, guard }: ToolsBelow,
  calls: ServiceCalls,
): Omit<KindServices, "folder"> {
  return {
    guard,
    calls,
    secrets: tools.secrets,
    mask: openSecretMask(Object.values(tools.secrets).map(({ value }) => value)),
    programPath: tools.programPath,
    onNote: (provider, text) => log.info({ provider, text }, "Output of a provider's program:"),
  };
}

/** Scrapes for a tool in the caller's name. The caller pays. */
function scrapeWith(services: RunServices): ScrapeForData {
  return async (body, { caller, linkBase, signal }) => {
    const job = startJob(services.plan({ ...body, origin: "tool" }), { caller, linkBase });
    const { answer, facts } = await runScrape(job, services, signal);
    return answer.data(facts);
  };
}

interface Answer {
  readonly data: { readonly alexandria: readonly CallResult[]; readonly creditsCost: number };
}

/** Parses an answer of `runTools`. Results of providers may be long, so a thread parses long ones. */
async function readResults(text: string, signal: AbortSignal): Promise<Answer["data"]> {
  const thread = new ForeignThread();
  try {
    const { data } = (await thread.parse(text, ANSWER_BOUNDS, signal)) as Answer;
    return data;
  } finally {
    await thread.close();
  }
}
