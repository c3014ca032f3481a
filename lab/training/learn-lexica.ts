/** What one site says about a token: the sum of the shares of its pages, and their number. */
interface Vote {
  content: number;
  pages: number;
}

/** Tokens of one kind → site → vote. */
export class TokenVotes {
  readonly #votes = new Map<string, Map<string, Vote>>();

  /** Adds how much of what a token stands on is content in a page: a share between 0 and 1. */
  add(token: string, site: string, share: number): void {
    let sites = this.#votes.get(token);
    if (!sites) this.#votes.set(token, (sites = new Map()));
    const vote = sites.get(site) ?? { content: 0, pages: 0 };
    sites.set(site, { content: vote.content + share, pages: vote.pages + 1 });
  }

  /** Log-odds of the tokens that enough of the sites know. */
  learn(isCounted: (site: string) => boolean, limits: LexiconLimits): LearnedTokens {
    const counted = [...this.#votes].flatMap(([token, sites]) => {
      const shares = [...sites]
        .filter(([site]) => isCounted(site))
        .map(([, vote]) => vote.content / vote.pages);
      return shares.length >= limits.minSites ? [{ token, shares }] : [];
    });
    const all = counted.reduce((sum, { shares }) => sum + shares.length, 0);
    const prior = counted.reduce((sum, { shares }) => sum + total(shares), 0) / all;
    const learned = counted
      .map(({ token, shares }) => ({ token, sites: shares.length, odds: logOdds(shares, prior) }))
      .filter(({ odds }) => Math.abs(odds) >= limits.minOdds)
      .sort((a, b) => weight(b) - weight(a))
      .slice(0, limits.maxTokens)
      .sort((a, b) => (a.token < b.token ? -1 : 1));
    return { tokens: learned.map(({ token }) => token), odds: learned.map(({ odds }) => odds) };
  }
}

export interface LexiconLimits {
  readonly minSites: number;
  readonly minOdds: number;
  readonly maxTokens: number;
}

export interface LearnedTokens {
  readonly tokens: readonly string[];
  readonly odds: readonly number[];
}

/** Made-up sites that say nothing, so that few voices weigh little. */
const SMOOTHING = 3;

/** Steps of the log-odds as they are stored. */
const STEP = 1 / 16;

function logOdds(shares: readonly number[], prior: number): number {
  const content = total(shares) + SMOOTHING * prior;
  const rest = shares.length - total(shares) + SMOOTHING * (1 - prior);
  const odds = Math.log(content / rest) - Math.log(prior / (1 - prior));
  return Math.max(-127, Math.min(127, Math.round(odds / STEP))) * STEP;
}

function weight({ odds, sites }: { readonly odds: number; readonly sites: number }): number {
  return Math.abs(odds) * Math.sqrt(sites);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
