import { getServers } from "node:dns";

import type { Config } from "../../config/config.ts";
import type { WantedLevel } from "../../sandbox/code-level.ts";
import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import { sqliteFile } from "../../storage/database/sqlite-url.ts";
import type { ModelSetting } from "../../storage/models/language-models.ts";
import type { Proxy } from "../../net/proxies.ts";

/** A row of the health table (`checks.ts`) about a part of this installation or of the running service. */
export interface Check {
  readonly name: string;
  /** Inspects the machine and the settings. Undefined when only use shows whether the part works. */
  check?(settings: DoctorSettings, signal?: AbortSignal): Promise<Finding>;
  /** Asks the running service. @throws when the part does not work. */
  ask?(service: RunningService): Promise<void>;
  /** The part fails briefly and recovers by itself, so the operator gets no alert. */
  readonly isBrief?: true;
  /** It costs next to nothing, and may change at any time. */
  readonly isQuick?: true;
  /** The service is ready without the part. */
  readonly isOptional?: true;
  /** What does not work while the last use of the part has failed. */
  readonly cost?: string;
  /** How the operator fixes that. */
  readonly remedy?: string;
}

export interface RunningService {
  readonly database: { ping(): Promise<void> };
  readonly blobs: { ping(): Promise<void> };
  readonly jobs: { readonly lacking: OwnPart | undefined };
  readonly pressure: { wasBlocked(): boolean };
  readonly records: { flush(): Promise<void> };
}

/** Facts about this installation that the doctor needs. */
export interface DoctorSettings {
  readonly dataDir: string;
  /** Undefined when the database is not a file. */
  readonly databaseFile?: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Value of PATH, which is searched for programs that are not configured. */
  readonly pathVariable: string;
  readonly browserPath?: string | undefined;
  /** Folder into which an npm-provided browser is unpacked. Without it that browser is not checked. */
  readonly cacheDir?: string;
  readonly tesseractPath?: string | undefined;
  readonly ffmpegPath?: string | undefined;
  readonly ytDlpPath?: string | undefined;
  /** The wanted isolation of callers' code. */
  readonly interactCode: WantedLevel;
  /** Contain their keys. Never show them. */
  readonly models: readonly ModelSetting[];
  /** False: models are only listed, because each question costs. */
  readonly asksModels?: boolean;
  /** `address[:port]` of the DNS servers. */
  readonly nameServers: readonly string[];
  /** Contain their credentials. Never show them. */
  readonly proxies: readonly Proxy[];
  /** Whether private targets are allowed, so that the own network may be all that is needed. */
  readonly isIntranet: boolean;
  /** URL of a page that the operator wants to test. The doctor contacts nothing else outside. */
  readonly reach?: string | undefined;
}

/** The result of one check. */
export interface Finding {
  /**
   * `missing`: everything works without it, but with fewer features. `problem`: something that should work
   * does not.
   */
  readonly status: "found" | "missing" | "problem";
  /** What was found (version, path, size), or the obstacle. */
  readonly detail: string;
  /** What does not work without the part. */
  readonly cost?: string;
  /** How to install or enable the part. */
  readonly remedy?: string;
  /** Time at which a use like that of requests succeeded. Earlier failures no longer count. */
  readonly workedAtMs?: number;
}

/** A finding with the name of its check. */
export interface DoctorResult extends Finding {
  readonly name: string;
}

/**
 * Checks everything that this installation needs or can use. Results keep the order of the checks. A check
 * that throws is a problem of that check only.
 * @throws the signal's reason, once `signal` is aborted.
 */
export async function runDoctor(
  settings: DoctorSettings,
  checks: readonly Check[],
  signal?: AbortSignal,
): Promise<readonly DoctorResult[]> {
  const results = checks.map(async ({ name, check }) => {
    try {
      return check && { name, ...(await check(settings, signal)) };
    } catch (error) {
      signal?.throwIfAborted();
      const detail = error instanceof Error ? error.message : String(error);
      return { name, status: "problem", detail } as const;
    }
  });
  return (await Promise.all(results)).filter((result) => result !== undefined);
}

/** @param reach page that the operator wants to test. */
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
