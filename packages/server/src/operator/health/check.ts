import { getServers } from "node:dns";

import type { Config } from "../../config/config.ts";
import type { WantedLevel } from "../../sandbox/code-level.ts";
import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import { sqliteFile } from "../../storage/database/sqlite-url.ts";
import type { ModelSetting } from "../../storage/models/language-models.ts";
import type { Proxy } from "../../net/proxies.ts";

/** A row of the table of health (`checks.ts`): a part of this installation, or of the running service. */
export interface Check {
  readonly name: string;
  /** Looks at the machine and the settings. Undefined where only use shows how the part works. */
  check?(settings: DoctorSettings, signal?: AbortSignal): Promise<Finding>;
  /** Asks the running service. @throws when the part does not work. */
  ask?(service: RunningService): Promise<void>;
  /** It fails for a moment and works again by itself, so the operator is not told. */
  readonly isBrief?: true;
  /** What does not work while its last use has failed. */
  readonly cost?: string;
  /** What to do then. */
  readonly remedy?: string;
}

/** The parts of the service that can be asked. */
export interface RunningService {
  readonly database: { ping(): Promise<void> };
  readonly blobs: { ping(): Promise<void> };
  readonly jobs: { readonly lacking: OwnPart | undefined };
  readonly pressure: { wasBlocked(): boolean };
}

/** What the doctor needs to know about this installation. */
export interface DoctorSettings {
  readonly dataDir: string;
  /** Undefined where the database is not a file. */
  readonly databaseFile?: string | undefined;
  /** With its password. Never to be shown. */
  readonly host: string;
  readonly port: number;
  /** Value of PATH, whose folders are searched for programs that are not configured. */
  readonly pathVariable: string;
  readonly browserPath?: string | undefined;
  /** Where a browser that npm brought is unpacked; without it that one is left out. */
  readonly cacheDir?: string;
  readonly tesseractPath?: string | undefined;
  readonly ffmpegPath?: string | undefined;
  readonly ytDlpPath?: string | undefined;
  /** How code of callers shall run. */
  readonly interactCode: WantedLevel;
  /** With their keys. Never to be shown. */
  readonly models: readonly ModelSetting[];
  /** False where models are only named, because a question costs. */
  readonly asksModels?: boolean;
  /** `address[:port]` of those that are asked for names. */
  readonly nameServers: readonly string[];
  /** With their credentials. Never to be shown. */
  readonly proxies: readonly Proxy[];
  /** Whether private targets are opened, so that the own network may be all that is wanted. */
  readonly isIntranet: boolean;
  /** Address of a page that the operator wants to be tried. Nothing else outside is ever contacted. */
  readonly reach?: string | undefined;
}

/** What one check found out. */
export interface Finding {
  /** `missing`: everything works without it, but less. `problem`: something that should work does not. */
  readonly status: "found" | "missing" | "problem";
  /** What was found (version, path, size), or what is in the way. */
  readonly detail: string;
  /** What does not work without it. */
  readonly cost?: string;
  /** How to install or enable it. */
  readonly remedy?: string;
  /** When it was used as requests use it, and worked: earlier failures do not count any more. */
  readonly workedAtMs?: number;
}

/** A finding with the name of what was checked. */
export interface DoctorResult extends Finding {
  readonly name: string;
}

/**
 * Looks at everything this installation needs or can use; the results keep the order of the checks. A check
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
