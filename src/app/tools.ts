import { startJob } from "../scrape/request/job.ts";
import { type RunServices, runScrape } from "../scrape/run.ts";
import { firecrawlProvider } from "../tools/builtin/firecrawl.ts";
import { pergamonProvider, type ScrapeData } from "../tools/builtin/pergamon.ts";
import { Catalogue } from "../tools/catalogue/catalogue.ts";
import type { KindServices } from "../tools/kinds/all.ts";
import { OperatorProviders } from "../tools/operator-providers.ts";
import { mountProviders } from "../tools/providers-file.ts";
import { OptionsValidator } from "../tools/requests/options-validator.ts";
import { AcceptedTerms } from "../tools/requests/terms.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import { shippedProviders } from "../tools/shipped-providers.ts";
import type { Accounts } from "./accounts.ts";
import { type AppContext, reporter } from "./context.ts";
import type { KeptStores } from "./kept.ts";
import type { Network } from "./network.ts";
import type { Stores } from "./stores.ts";

interface ToolNeeds {
  readonly stores: Stores;
  readonly network: Network;
  readonly accounts: Accounts;
  readonly kept: KeptStores;
  readonly services: RunServices;
}

/** Everything that requests of provider tools work with. @throws Error when PROVIDERS_FILE has mistakes. */
export function openTools(context: AppContext, needs: ToolNeeds): ToolServices {
  const { config, log } = context;
  const { stores, accounts, kept, services } = needs;
  const terms = new AcceptedTerms(stores.database);
  const builtin = [
    firecrawlProvider({ catalogue: () => catalogue, terms }),
    pergamonProvider(scrapeWith(services)),
  ];
  const catalogue: Catalogue = new Catalogue(builtin);
  fillCatalogue(catalogue, context, needs);
  return {
    catalogue,
    terms,
    rows: kept.toolRequests,
    credits: accounts.credits,
    callers: accounts.callers,
    audit: accounts.audit,
    limits: accounts.limits,
    isOnByDefault: config.accounts.auth === "open",
    validator: new OptionsValidator(),
    coordinator: stores.coordinator,
    onError: reporter(log, "A provider tool failed unexpectedly."),
    clock: Date.now,
  };
}

/** What comes along, and the operator's own, which are read again when their file changes. */
function fillCatalogue(
  catalogue: Catalogue,
  { config, log, resources }: AppContext,
  { network }: ToolNeeds,
): void {
  const file = config.tools.providersFile;
  const kindServices = kindServicesOf({ config, log }, network);
  const shipped = mountProviders(shippedProviders, {
    source: "The shipped catalogue",
    services: { ...kindServices, folder: "" },
  }).map(({ provider }) => provider);
  if (file === undefined) return catalogue.replace(shipped);
  const own = new OperatorProviders({
    file,
    services: kindServices,
    onChange(providers, change) {
      catalogue.replace([...shipped, ...providers]);
      log.info(change, "The file of providers was read again.");
    },
    onRefusal: (reason) =>
      log.error(
        { reason },
        "The file of providers has changed, and is refused. The providers of before stay.",
      ),
  });
  resources.add(own, (opened) => opened.close());
  catalogue.replace([...shipped, ...own.providers]);
}

/** What providers of all kinds are mounted with. */
export function kindServicesOf(
  { config: { tools }, log }: Pick<AppContext, "config" | "log">,
  { guard }: Network,
): Omit<KindServices, "folder"> {
  return {
    guard,
    secrets: tools.secrets,
    programPath: tools.programPath,
    onNote: (provider, text) => log.info({ provider, text }, "A provider's program says:"),
  };
}

/** A scrape for a tool, in the caller's name and on its account. */
function scrapeWith(services: RunServices): ScrapeData {
  return async (body, { caller, linkBase, signal }) => {
    const job = startJob(services.plan({ ...body, origin: "tool" }), { caller, linkBase });
    const { answer, facts } = await runScrape(job, services, signal);
    return answer.data(facts);
  };
}
