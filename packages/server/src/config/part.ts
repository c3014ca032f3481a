import type { z } from "zod";

/** Variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a part may know besides its own settings. */
export interface Context {
  /** Whether the service listens where only this machine reaches it. */
  readonly isLocal: boolean;
  /** Folder of everything embedded, absolute. */
  readonly dataDir: string;
  /** Whether people read what is printed. */
  readonly isTerminal: boolean;
  /** Where programs are looked for, and what users call home. */
  readonly environment: Environment;
}

interface PartDefinition<Settings extends z.ZodObject, PartConfig> {
  /** Names the part in the table of settings. */
  readonly title: string;
  /**
   * The settings by name. Each is described in words for the table of settings; `unset` says what holds without it
   * where that is not a plain default.
   */
  readonly settings: Settings;
  /** Everything that the service gets to know of the settings. */
  derive(settings: z.output<Settings>, context: Context): PartConfig;
}

/** A part of the configuration: its settings and what follows from them, in one place. */
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
