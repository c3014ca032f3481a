import { releaseAbandonedHolds } from "../accounts/abandoned-holds.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { ServiceCalls } from "../net/service-call.ts";
import { startJob } from "../scrape/request/job.ts";
import { type RunServices, runScrape } from "../scrape/run.ts";
import { firecrawlProvider } from "../tools/builtin/firecrawl.ts";
import { pergamonProvider, type ScrapeForData } from "../tools/builtin/pergamon.ts";
import { Catalogue } from "../tools/catalogue/catalogue.ts";
import type { Provider } from "../tools/catalogue/provider.ts";
import type { KindServices } from "../tools/kinds/all.ts";
import { OperatorProviders } from "../tools/operator-providers.ts";
import { mountProviders } from "../tools/providers-file.ts";
import { OptionsValidator } from "../tools/requests/options-validator.ts";
import { openSecretMask } from "../tools/requests/secret-mask.ts";
import { AcceptedTerms } from "../tools/requests/terms.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import { shippedProviders } from "../tools/shipped-providers.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";

interface ToolNeeds {
  readonly stores: Stores;
  readonly network: Network;
  readonly accounts: Accounts;
  readonly kept: RetainedData;
  readonly services: RunServices;
}

/** Provider tools, and what their operator works on. */
export interface OpenedTools extends ToolServices {
  /** The operator's own; undefined without PROVIDERS_FILE. */
  readonly own: OperatorProviders | undefined;
}

/** Everything that requests of provider tools work with. @throws Error when PROVIDERS_FILE has mistakes. */
export function openTools(context: AppContext, needs: ToolNeeds): OpenedTools {
  const { config, log } = context;
  const { stores, accounts, kept, services } = needs;
  const terms = new AcceptedTerms(stores.database);
  const builtin = [
    firecrawlProvider({ catalogue: () => catalogue, terms }),
    pergamonProvider(scrapeWith(services)),
  ];
  const catalogue: Catalogue = new Catalogue(builtin);
  const calls = context.resources.add(new ServiceCalls(needs.network.guard), (opened) => opened.close());
  const kinds = kindServicesOf(context, needs.network, calls);
  const schemas = context.resources.add(new ForeignThread(), (opened) => opened.close());
  const source = "The shipped catalogue";
  const shipped = mountProviders(shippedProviders, { source, services: { ...kinds, folder: "" } }).map(
    ({ provider }) => provider,
  );
  const own = openOwn(context, kinds, (providers) => catalogue.replace([...shipped, ...providers]));
  catalogue.replace([...shipped, ...(own?.providers ?? [])]);
  return {
    own,
    catalogue,
    terms,
    rows: kept.toolRequests,
    charges: services.charges,
    callers: accounts.callers,
    owner: accounts.owner,
    noteEndedProcesses: () => releaseAbandonedHolds({ ...stores, owner: accounts.owner }),
    audit: accounts.audit,
    limits: accounts.limits,
    mask: kinds.mask,
    isOnByDefault: config.accounts.auth === "open",
    validator: new OptionsValidator(schemas),
    coordinator: stores.coordinator,
    onError: reporter(log, "A provider tool failed unexpectedly."),
    clock: Date.now,
  };
}

/** The operator's own, which are read again when their file changes. */
function openOwn(
  { config, log, resources }: AppContext,
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

/** What providers of all kinds are mounted with. */
function kindServicesOf(
  { config: { tools }, log }: Pick<AppContext, "config" | "log">,
  { guard }: Network,
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

/** A scrape for a tool, in the caller's name and on its account. */
function scrapeWith(services: RunServices): ScrapeForData {
  return async (body, { caller, linkBase, signal }) => {
    const job = startJob(services.plan({ ...body, origin: "tool" }), { caller, linkBase });
    const { answer, facts } = await runScrape(job, services, signal);
    return answer.data(facts);
  };
}
