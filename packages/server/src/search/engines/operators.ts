import type { EngineQuery } from "./search-engine.ts";

/** Query text with operators that engines support: `anvil (site:a.test OR site:b.test) filetype:pdf`. */
export function withOperators({ words, includeDomains, excludeDomains, anyOf }: EngineQuery): string {
  const sites = includeDomains.map((domain) => `site:${domain}`);
  return [
    words,
    ...alternatives(sites),
    ...alternatives(anyOf),
    ...excludeDomains.map((domain) => `-site:${domain}`),
  ].join(" ");
}

function alternatives(operators: readonly string[]): readonly string[] {
  return operators.length > 1 ? [`(${operators.join(" OR ")})`] : operators;
}

/** Sets the URL parameters that have a value. */
export function withParameters(
  url: URL,
  parameters: Readonly<Record<string, string | number | undefined>>,
): URL {
  const filled = new URL(url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) filled.searchParams.set(name, String(value));
  }
  return filled;
}
