import type { z } from "zod";

/** Variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Values that a part may use besides its own settings. */
export interface Context {
  /** True when the service listens only for this machine. */
  readonly isLocal: boolean;
  /** Absolute folder of all embedded data. */
  readonly dataDir: string;
  /** True when the output goes to a terminal. */
  readonly isTerminal: boolean;
  /** Source of the search path and the user's home folder. */
  readonly environment: Environment;
}

interface PartDefinition<Settings extends z.ZodObject, PartConfig> {
  /** Names the part in the table of settings. */
  readonly title: string;
  /**
   * The settings by name. Each has a description for the table of settings; `unset` describes the effect of a
   * missing value where that is not a plain default.
   */
  readonly settings: Settings;
  /** Derives the values that the service gets from the settings. */
  derive(settings: z.output<Settings>, context: Context): PartConfig;
}

/** A part of the configuration: its settings and the values derived from them. */
export interface Part<Settings extends z.ZodObject, PartConfig> extends PartDefinition<Settings, PartConfig> {
  /** @throws z.ZodError when a setting is invalid. */
  read(given: Environment, context: Context): PartConfig;
}

export function definePart<Settings extends z.ZodObject, PartConfig>(
  definition: PartDefinition<Settings, PartConfig>,
): Part<Settings, PartConfig> {
  const { settings, derive } = definition;
  return { ...definition, read: (given, context) => derive(settings.parse(given), context) };
}
