import { getServers } from "node:dns";

import type { Command } from "commander";

import { sqliteFile } from "../../platform/database/sqlite-url.ts";
import { runDoctor } from "../doctor/doctor.ts";
import { printDoctor } from "../doctor/print.ts";
import type { Program } from "./program.ts";

export function addDoctorCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("doctor")
    .description("Show what was found, what is missing, what that costs and how to get it.")
    .option("--reach <url>", "also connect to this host; no other is ever contacted")
    .action(async ({ reach }: { readonly reach?: string }) => {
      const { stores, server, network, browser, interact, programs, languageModel } = createProgram().config;
      const results = await runDoctor({
        ...programs,
        dataDir: stores.dataDir,
        databaseFile: sqliteFile(stores.databaseUrl),
        host: server.host,
        port: server.port,
        browserPath: browser.path,
        interactCode: interact.code,
        cacheDir: browser.cacheDir,
        languageModelConfigured: languageModel.isConfigured,
        nameServers: network.dnsServers.length > 0 ? network.dnsServers : getServers(),
        proxies: network.proxies,
        isIntranet: network.egressAllow.length > 0,
        reach,
      });
      printDoctor(results, process.stdout);
      if (results.some(({ status }) => status === "problem")) process.exitCode = 1;
    });
}
