import { checks as allChecks } from "./checks.ts";
import type { Check, DoctorSettings, Finding } from "./finding.ts";

/** A finding with the name of what was checked. */
export interface DoctorResult extends Finding {
  readonly name: string;
}

/** How the doctor looks; everything has a default. */
export interface DoctorOptions {
  readonly checks?: readonly Check[];
  readonly signal?: AbortSignal;
}

/**
 * Looks at everything this installation needs or can use; the results keep the order of the checks. A check
 * that throws is a problem of that check only.
 * @throws the signal's reason, once `signal` is aborted.
 */
export async function runDoctor(
  settings: DoctorSettings,
  { checks = allChecks, signal }: DoctorOptions = {},
): Promise<readonly DoctorResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, settings, signal)));
}

async function runCheck(check: Check, settings: DoctorSettings, signal?: AbortSignal): Promise<DoctorResult> {
  try {
    return { name: check.name, ...(await check.run(settings, signal)) };
  } catch (error) {
    signal?.throwIfAborted();
    return {
      name: check.name,
      status: "problem",
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}
