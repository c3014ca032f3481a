import { z } from "zod";

/** Where a model is, and what it is called there. */
export interface ModelEndpoint {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Sent with every call, over those of the dialect. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One turn of a conversation. */
export interface ModelTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** What a model is asked. */
export interface ModelCall {
  readonly system: string;
  readonly turns: readonly ModelTurn[];
  /** JSON Schema of the answer. */
  readonly schema: object;
  readonly maxOutputTokens: number;
}

/** What an endpoint has refused so far, so that it is not sent again. */
export interface Habits {
  /** How the schema is sent: 0 as a schema, 1 as the JSON mode, 2 only in words. */
  readonly rung: 0 | 1 | 2;
  readonly sendsTemperature: boolean;
  /** Newer models of one dialect want the limit of output under another name. */
  readonly renamesLimit: boolean;
}

export const NO_HABITS: Habits = { rung: 0, sendsTemperature: true, renamesLimit: false };

/** What is sent to an endpoint. */
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

/** What a model said. */
export interface ModelReply {
  readonly text: string;
  /** Undefined when the endpoint does not say. */
  readonly use: TokenUse | undefined;
  /** `cut`: the limit of output was reached. `refused`: it will not answer. */
  readonly end: "whole" | "cut" | "refused";
}

/** How one kind of endpoint is spoken to. */
export interface Dialect {
  request(call: ModelCall, endpoint: ModelEndpoint, habits: Habits): ModelRequest;
  /** Undefined when the body is not a reply. */
  read(body: unknown): ModelReply | undefined;
}

/** A count in a reply; what is none is taken for unsaid, so that it does not make the reply unreadable. */
export const Count = z.int().nonnegative().optional().catch(undefined);

/** Both counts or none. */
export function useOf(input: number | undefined, output: number | undefined): TokenUse | undefined {
  return input === undefined || output === undefined ? undefined : { input, output };
}
