import type { Caller } from "../../accounts/callers.ts";

/** JSON Schema of the options. */
export type OptionsSchema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly $defs?: unknown;
};

export type Options = Readonly<Record<string, unknown>>;

export interface CallContext {
  readonly caller: Caller;
  /** Prefix of links to this service. */
  readonly linkBase: string;
  readonly signal: AbortSignal;
  /** Timeout of the whole request. */
  readonly timeoutMs: number;
}

export interface ToolOutput {
  readonly data: unknown;
  /** Number of records, for prices per record. */
  readonly records?: number;
  readonly upstreamStatus?: number;
}

/** A callable tool of a provider. */
export interface Capability {
  /** The name that callers use. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly whenToUse?: string | undefined;
  /** Price of one call, or of one record. */
  readonly creditsCost: number;
  readonly perRecord: boolean;
  /** Maximum records that one call returns. */
  readonly maxRecords: number;
  /** True when the call has no side effects and may be repeated. */
  readonly readOnly: boolean;
  /**
   * True when the call needs no place of its team, because it ends at once or takes a place for its own work.
   */
  readonly takesNoPlace?: boolean;
  readonly options: OptionsSchema;
  /** True when neither we nor the operator wrote the schema: then it is applied within a time limit. */
  readonly isForeign?: boolean;
  readonly response?: {
    readonly about?: string | undefined;
    readonly fields?: readonly object[] | undefined;
  };
  /** Options of a call that works. */
  readonly example?: Options | undefined;
  /** @param options valid for the schema. @throws ToolError. */
  execute(options: Options, context: CallContext): Promise<ToolOutput>;
}
