import { accounts } from "./accounts.ts";
import { audit } from "./audit.ts";
import { browser } from "./browser.ts";
import { crawling } from "./crawling.ts";
import { interact } from "./interact.ts";
import { jobs } from "./jobs.ts";
import { languageModel } from "./language-model.ts";
import { logging } from "./logging.ts";
import { mail } from "./mail.ts";
import { mcp } from "./mcp.ts";
import { network } from "./network.ts";
import { nodes } from "./nodes.ts";
import { parsing } from "./parsing.ts";
import { programs } from "./programs.ts";
import { scraping } from "./scraping.ts";
import { search } from "./search.ts";
import { server } from "./server.ts";
import { stores } from "./stores.ts";
import { tools } from "./tools.ts";
import { threats } from "./threats.ts";

/** One line per part of the configuration, in the order of the table of settings. */
export const parts = {
  server,
  stores,
  nodes,
  accounts,
  network,
  scraping,
  crawling,
  jobs,
  parsing,
  search,
  browser,
  interact,
  audit,
  threats,
  languageModel,
  mail,
  programs,
  tools,
  mcp,
  logging,
};
