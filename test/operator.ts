import { expectDeclared } from "./declared.ts";
import type { Answer, World } from "./world.ts";

export const ADMIN_KEY = "operator-key-of-the-tests";

/** Settings of a service with keys, to which only the tests set limits, and whose figures they read. */
export const KEYED = {
  AUTH: "keys",
  ADMIN_KEY,
  METRICS_KEY: "open",
  RATE_LIMIT: "off",
  TEAM_CONCURRENCY: "off",
} as const;

/** An answer of the operator's interface; a test that reads a member that is not there fails. */
export interface OperatorAnswer {
  readonly status: number;
  readonly body: {
    readonly success: boolean;
    readonly error: string;
    readonly teamId: string;
    readonly keyId: string;
    readonly apiKey: string;
    readonly remainingCredits: number;
    readonly data: readonly Readonly<Record<string, unknown>>[];
    readonly cursor: string | null;
  };
}

/** Asks `/admin/api` as the operator, unless another key is given. */
export async function operate(
  world: Pick<World, "baseUrl">,
  line: string,
  body?: unknown,
  key: string = ADMIN_KEY,
): Promise<OperatorAnswer> {
  const [method = "GET", path = ""] = line.split(" ");
  const response = await fetch(`${world.baseUrl}/admin/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status } = response;
  const answer = (await response.json()) as OperatorAnswer["body"];
  expectDeclared({ method, path: `/admin/api/${path}`, status, body: answer });
  return { status, body: answer };
}

/** A team and what its members do with its first key. */
export interface TestTeam {
  readonly teamId: string;
  readonly headers: { readonly authorization: string };
  scrape(body: unknown, signal?: AbortSignal): Promise<Answer>;
  remaining(): Promise<number>;
  /** Entries as `from → to amount`, sorted. */
  moves(): Promise<readonly string[]>;
}

export async function makeTeam(
  world: World,
  options: Readonly<Record<string, unknown>> = {},
): Promise<TestTeam> {
  const { body } = await operate(world, "POST teams", { name: "team", ...options });
  const { teamId, apiKey } = body;
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    teamId,
    headers,
    scrape: (request, signal) => world.scrape(request, headers, signal),
    async remaining() {
      const usage = await world.get("/v2/team/credit-usage", headers);
      return (usage.body.data as unknown as { remainingCredits: number }).remainingCredits;
    },
    async moves() {
      const ledger = await operate(world, `GET teams/${teamId}/ledger?limit=1000`);
      return ledger.body.data
        .map(({ from, to, amount }) => `${String(from)} → ${String(to)} ${String(amount)}`)
        .toSorted();
    },
  };
}
