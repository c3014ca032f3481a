import { z } from "zod";

export interface ModelEndpoint {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Sent with every call. They win over those of the dialect. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ModelTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface ModelCall {
  readonly system: string;
  readonly turns: readonly ModelTurn[];
  /** JSON Schema of the answer. */
  readonly schema: object;
  readonly maxOutputTokens: number;
}

/** Features that an endpoint has refused, so that they are not sent again. */
export interface Habits {
  /** How many of the dialect's ways to send a schema it has refused; after the last, words alone say it. */
  readonly refusedWays: number;
  readonly sendsTemperature: boolean;
  /** Newer models of one dialect expect the output limit under another name. */
  readonly renamesLimit: boolean;
}

export const NO_HABITS: Habits = { refusedWays: 0, sendsTemperature: true, renamesLimit: false };

export interface ModelRequest {
  /** Appended to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Tokens of one call, as the endpoint counts them. */
export interface TokenUse {
  readonly input: number;
  readonly output: number;
}

export interface ModelReply {
  readonly text: string;
  /** Undefined when the endpoint does not report it. */
  readonly use: TokenUse | undefined;
  /** `cut`: the output limit was reached. `refused`: the model will not answer. */
  readonly end: "whole" | "cut" | "refused";
}

/** The protocol of one kind of endpoint. */
export interface Dialect {
  /** Ways to send the schema, the strictest first. */
  readonly schemaWays: readonly {
    readonly constrainsTo: "a JSON Schema" | "JSON";
    fields(schema: object): object;
  }[];
  /** The fields that send the schema, as messages name them. */
  readonly schemaFields: RegExp;
  request(call: ModelCall, endpoint: ModelEndpoint, habits: Habits): ModelRequest;
  /** Undefined when the body is not a reply. */
  read(body: unknown): ModelReply | undefined;
}

/** A token count of a reply. An invalid count becomes undefined, so that the reply stays readable. */
export const Count = z.int().nonnegative().optional().catch(undefined);

/** Returns both counts or none. */
export function useOf(input: number | undefined, output: number | undefined): TokenUse | undefined {
  return input === undefined || output === undefined ? undefined : { input, output };
}
