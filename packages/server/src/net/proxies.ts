import { z } from "zod";

const PROXY_SCHEMES = new Set(["http:", "https:", "socks5:", "socks5h:"]);

const Proxies = z.array(
  z.object({
    tier: z.enum(["basic", "enhanced"]).default("basic"),
    country: z
      .string()
      .regex(/^[a-z]{2}$/i, "must be a two-letter country code")
      .transform((country) => country.toUpperCase())
      .optional(),
    url: z.string().refine(isProxyUrl, "must be an http, https, socks5 or socks5h URL"),
    username: z.string().optional(),
    password: z.string().optional(),
    skipTlsVerification: z.boolean().default(false),
    connectTo: z.enum(["address", "name"]).default("address"),
  }),
);

/** An upstream proxy of the operator. */
export interface Proxy {
  readonly tier: "basic" | "enhanced";
  /** Country of the exit, in two upper-case letters. */
  readonly country?: string;
  /** Contains its credentials, if any. Never log it. */
  readonly url: string;
  /** Accepts an https proxy without a verifiable certificate. */
  readonly skipTlsVerification?: boolean;
  /** Form of the target for the proxy: the checked address, or a name that the proxy resolves again. */
  readonly connectTo?: "address" | "name";
}

/** True when targets are sent by name, as http proxies need that do not allow tunnels to port 80. */
export function isGivenNames({ connectTo }: Proxy): boolean {
  return connectTo === "name";
}

/**
 * Reads the JSON of a list of `{tier?, country?, url, username?, password?, skipTlsVerification?,
 * connectTo?}`. Empty text is an empty list.
 * @throws Error that says what is wrong, without quoting credentials.
 */
export function parseProxies(json: string): readonly Proxy[] {
  if (json.trim() === "") return [];
  const parsed = Proxies.safeParse(parseJson(json));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new Error(`The list of proxies is invalid: ${problems.join("; ")}`);
  }
  return parsed.data.map(({ url, username, password, country, skipTlsVerification, connectTo, tier }) => ({
    tier,
    url: withCredentials(url, username, password),
    ...(country !== undefined && { country }),
    ...(skipTlsVerification && { skipTlsVerification }),
    ...(connectTo === "name" && { connectTo }),
  }));
}

/**
 * Chooses a proxy of the tier with an exit in the country. A proxy without a country serves any. Without
 * enhanced proxies, the enhanced tier uses basic ones. `undefined` means a direct connection, because the
 * tier has no proxies at all; a `country` of `undefined` accepts any exit.
 */
export function chooseProxy(
  proxies: readonly Proxy[],
  tier: Proxy["tier"],
  country: string | undefined,
): Proxy | undefined | "none-for-country" {
  const ofTier = proxies.filter((proxy) => proxy.tier === tier);
  if (ofTier.length === 0) return tier === "enhanced" ? chooseProxy(proxies, "basic", country) : undefined;
  const wanted = country?.toUpperCase();
  const exact = ofTier.filter((proxy) => wanted !== undefined && proxy.country === wanted);
  const anywhere = ofTier.filter((proxy) => proxy.country === undefined || wanted === undefined);
  return pick(exact) ?? pick(anywhere) ?? "none-for-country";
}

/** Picks at random, so that equal proxies share the load. */
function pick(proxies: readonly Proxy[]): Proxy | undefined {
  return proxies[Math.floor(Math.random() * proxies.length)];
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own message would quote the text, and with it credentials.
    throw new Error("The list of proxies is not valid JSON.");
  }
}

function withCredentials(url: string, username: string | undefined, password: string | undefined): string {
  const parsed = new URL(url);
  // NOTE: URL leaves percent signs unchanged, and would read them as escapes later.
  if (username !== undefined) parsed.username = encodeURIComponent(username);
  if (password !== undefined) parsed.password = encodeURIComponent(password);
  return parsed.href;
}

function isProxyUrl(url: string): boolean {
  return URL.canParse(url) && PROXY_SCHEMES.has(new URL(url).protocol) && new URL(url).hostname !== "";
}
