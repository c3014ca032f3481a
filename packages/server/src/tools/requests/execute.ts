import type { Limits } from "../../accounts/limits.ts";
import { RateLimitError, ServiceError } from "../../api/errors.ts";
import type { Coordinator } from "../../storage/coordination/coordinator.ts";
import type { CallContext, Options, ToolOutput } from "../catalogue/capability.ts";
import type { CatalogueTool } from "../catalogue/tool-index.ts";
import { ToolError } from "../catalogue/tool-error.ts";
import type { OptionsValidator } from "./options-validator.ts";
import type { SecretMask } from "./secret-mask.ts";

/** A call with the tool that was found for it. */
export interface FoundCall extends CatalogueTool {
  readonly options: Options;
}

/** The result of one call in the answer (contract, section 2.7). */
export interface CallResult {
  readonly provider: string;
  readonly capability: string;
  readonly creditsCost: number;
  readonly data?: unknown;
  readonly records?: number;
  readonly upstreamStatus?: number;
  /** When the provider answered, which a repeated request does not change. */
  readonly recordedAt?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly status?: number };
}

export interface ExecuteServices {
  readonly validator: OptionsValidator;
  readonly coordinator: Coordinator;
  readonly limits: Limits;
  readonly mask: SecretMask;
  /** Called for an unexpected failure. */
  readonly onError: (failure: unknown) => void;
}

/** Maximum size of all results of a request as JSON. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;

export interface Executed {
  readonly results: readonly CallResult[];
  /** True when no call succeeded and at least one may have been made. */
  readonly isUnknown: boolean;
}

/**
 * Makes all calls at once and returns the results in their order. A failed call is free and does not affect
 * the others.
 */
export async function executeAll(
  calls: readonly FoundCall[],
  context: CallContext,
  services: ExecuteServices,
): Promise<Executed> {
  const executed = await Promise.all(calls.map((call) => execute(call, context, services)));
  const isUnknown = executed.every(({ result }) => result.error) && executed.some((call) => call.isUnknown);
  let leftBytes = MAX_RESULT_BYTES;
  const results = executed.map(({ result }) => {
    const sizeBytes = Buffer.byteLength(JSON.stringify(result));
    if (sizeBytes > leftBytes) return failed(result, new ToolError("response_too_large", TOO_LARGE));
    leftBytes -= sizeBytes;
    return result;
  });
  return { results, isUnknown };
}

const TOO_LARGE = `All results together are larger than ${MAX_RESULT_BYTES} bytes. Request less at once.`;

/** The result of a call that may or may not have been made. */
export function unknownOutcome(call: { readonly provider: string; readonly capability: string }): CallResult {
  return failed(
    call,
    new ToolError("outcome_unknown", "The outcome of this call is unknown. It is not charged."),
  );
}

async function execute(
  call: FoundCall,
  context: CallContext,
  services: ExecuteServices,
): Promise<{ readonly result: CallResult; readonly isUnknown: boolean }> {
  const { provider, capability } = call;
  const names = { provider: provider.id, capability: capability.id };
  // Each call has its own signal, because it adds listeners, and a signal should have few of them.
  const signal = AbortSignal.any([context.signal]);
  let isBegun = false;
  try {
    const options = await services.validator.check(capability, call.options);
    await countCall(call, services.coordinator);
    const output = await inPlace(call, { ...context, signal }, services, () => {
      isBegun = true;
      return untilTimeout(capability.execute(options, { ...context, signal }), signal);
    });
    const result = { ...names, creditsCost: priceOf(call, output), ...checked(services.mask.data(output)) };
    return { result, isUnknown: false };
  } catch (failure) {
    const error = toolErrorOf(failure, signal, services);
    const isUnknown = error.code === "outcome_unknown" || (isBegun && error.code === "timeout");
    return { result: services.mask.data(failed(names, error)), isUnknown };
  }
}

/** A call waits for a place of its team, like a scrape. */
async function inPlace<Result>(
  { capability }: FoundCall,
  { caller, timeoutMs, signal }: CallContext,
  { limits }: ExecuteServices,
  work: () => Promise<Result>,
): Promise<Result> {
  if (capability.takesNoPlace) return work();
  const place = await limits.enter(caller, timeoutMs, signal);
  try {
    return await work();
  } finally {
    place.release();
  }
}

/** @throws ToolError rate_limited when the provider's limit is exceeded. */
async function countCall({ provider }: CatalogueTool, coordinator: Coordinator): Promise<void> {
  const { id, ratePerSecond } = provider;
  if (ratePerSecond === undefined) return;
  const [limit, windowMs] = ratePerSecond >= 1 ? [ratePerSecond, 1000] : [1, 1000 / ratePerSecond];
  if (await coordinator.count(`provider ${id}`, Math.floor(limit), Math.ceil(windowMs))) {
    throw new ToolError("rate_limited", "The rate limit of this provider is reached. Try again in a moment.");
  }
}

function untilTimeout(output: Promise<ToolOutput>, signal: AbortSignal): Promise<ToolOutput> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    void output.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function checked({
  data,
  records,
  upstreamStatus,
}: ToolOutput): Pick<CallResult, "data" | "records" | "upstreamStatus" | "recordedAt"> {
  return {
    data,
    recordedAt: new Date().toISOString(),
    ...(records !== undefined && { records }),
    ...(upstreamStatus !== undefined && { upstreamStatus }),
  };
}

function priceOf({ capability }: CatalogueTool, { records = 1 }: ToolOutput): number {
  const { creditsCost, perRecord, maxRecords } = capability;
  return perRecord ? creditsCost * Math.min(records, maxRecords) : creditsCost;
}

function toolErrorOf(failure: unknown, signal: AbortSignal, { onError }: ExecuteServices): ToolError {
  if (failure instanceof ToolError) return failure;
  if (failure instanceof ServiceError) return told(failure);
  if (failure instanceof RateLimitError) return new ToolError("rate_limited", `${failure.message}.`);
  if (signal.aborted)
    return new ToolError("timeout", "The provider timed out. Raise timeout, or request less.");
  onError(failure);
  return new ToolError(
    "upstream_error",
    "The tool failed unexpectedly. The log of the service contains the reason.",
  );
}

/** Translates an error of this service into the result of a call. */
function told({ code, message }: ServiceError): ToolError {
  if (code === "terms_changed") return new ToolError("terms_changed", message);
  if (code === "CONCURRENCY_QUEUE_TIMEOUT") return new ToolError("timeout", message);
  return new ToolError("upstream_error", `${code}: ${message}`);
}

function failed(
  { provider, capability }: { readonly provider: string; readonly capability: string },
  { code, message, status }: ToolError,
): CallResult {
  const error = { code, message, ...(status !== undefined && { status }) };
  return { provider, capability, error, creditsCost: 0 };
}
