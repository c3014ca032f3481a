import type { Caller } from "../../accounts/callers.ts";

/** JSON Schema of the options. */
export type OptionsSchema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly $defs?: unknown;
};

export type Options = Readonly<Record<string, unknown>>;

/** Who calls, and for how long. */
export interface CallContext {
  readonly caller: Caller;
  /** What links to this service begin with. */
  readonly linkBase: string;
  readonly signal: AbortSignal;
  /** Of the whole request. */
  readonly timeoutMs: number;
}

/** What a call brought. */
export interface ToolOutput {
  readonly data: unknown;
  /** How many records there are, where the price depends on it. */
  readonly records?: number;
  readonly upstreamStatus?: number;
}

/** One callable thing of a provider. */
export interface Capability {
  /** By which callers name it. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly whenToUse?: string | undefined;
  /** For one call, or for one record. */
  readonly creditsCost: number;
  readonly perRecord: boolean;
  /** The most that one call returns. */
  readonly maxRecords: number;
  /** True when the call has no side effects and can be repeated. */
  readonly readOnly: boolean;
  /** Whether a call takes none of its team's places: it is done at once, or takes one for what it does. */
  readonly takesNoPlace?: boolean;
  readonly options: OptionsSchema;
  /** Whether the schema was written by neither us nor the operator: it is applied within a time limit. */
  readonly isForeign?: boolean;
  readonly response?: {
    readonly about?: string | undefined;
    readonly fields?: readonly object[] | undefined;
  };
  /** Options of a working call. */
  readonly example?: Options | undefined;
  /** @param options fit the schema. @throws ToolError. */
  execute(options: Options, context: CallContext): Promise<ToolOutput>;
}
