import { getServers } from "node:dns";

import type { Config } from "../config/config.ts";
import { sqliteFile } from "../platform/database/sqlite-url.ts";
import type { DoctorSettings } from "./finding.ts";

/** What the doctor needs to know of the settings. @param reach page that the operator wants to be tried. */
export function doctorSettings(config: Config, reach?: string): DoctorSettings {
  const { stores, server, network, browser, interact, programs, languageModel } = config;
  return {
    ...programs,
    dataDir: stores.dataDir,
    databaseFile: sqliteFile(stores.databaseUrl),
    host: server.host,
    port: server.port,
    browserPath: browser.path,
    interactCode: interact.code,
    cacheDir: browser.cacheDir,
    models: languageModel.models,
    nameServers: network.dnsServers.length > 0 ? network.dnsServers : getServers(),
    proxies: network.proxies,
    isIntranet: network.egressAllow.length > 0,
    reach,
  };
}
