import type { WantedLevel } from "../interact/languages/code-level.ts";
import type { ModelSetting } from "../platform/models/language-models.ts";
import type { Proxy } from "../platform/net/proxies.ts";

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

/** One thing the doctor looks at. */
export interface Check {
  readonly name: string;
  run(settings: DoctorSettings, signal?: AbortSignal): Promise<Finding>;
}
