import { resolveUrl } from "./base-url.ts";

/**
 * URLs that a URL parser would not change once they follow the right part of the base: plain characters, no
 * segment that begins with a dot, no port, no host name in another script. Brackets are not plain characters,
 * because Markdown gives them a meaning.
 */
const TAIL = String.raw`(?:/(?!\.|%2[eE])[\w!$&*+,;=:@~.%-]*)*(?:\?[\w!$&*+,;=:@~./?%-]*)?(?:#[\w!$&*+,;=:@~./?%-]*)?$`;
const PLAIN_ABSOLUTE = new RegExp(`^https?://(?:(?!xn--)[a-z0-9-]{1,63}\\.)+[a-z]{2,63}(?=/)${TAIL}`);
const PLAIN_ROOTED = new RegExp(`^(?=/(?!/))${TAIL}`);
const PLAIN_RELATIVE = new RegExp(`^(?!\\.|%2[eE])[\\w!$&*+,;=@~.%-]+${TAIL}`);

const SLASH = 47;
const LOWER_H = 104;

/**
 * Base URL that the URLs of a page resolve against. Most of them need no URL parser, which takes ten times as
 * long: they are joined from parts of the base.
 */
export class UrlBase {
  readonly #url: string;
  /** Scheme, host and port; undefined when the base has a user name or is not a web address. */
  readonly #origin: string | undefined;
  /** The base up to its last `/`. */
  readonly #folder: string;

  constructor(baseUrl: string) {
    this.#url = baseUrl;
    const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
    const isPlain =
      base !== undefined && /^https?:$/u.test(base.protocol) && base.username + base.password === "";
    this.#origin = isPlain ? base.origin : undefined;
    this.#folder = isPlain ? base.origin + base.pathname.slice(0, base.pathname.lastIndexOf("/") + 1) : "";
  }

  /** Resolves a URL of any scheme; undefined when it is invalid. Same as `resolveUrl`. */
  resolve(href: string): string | undefined {
    return this.resolvePlain(href) ?? resolveUrl(href, this.#url);
  }

  /** Whether a URL leads to a part of the page that it resolves against. */
  isFragment(href: string): boolean {
    if (href.startsWith("#")) return true;
    const hash = href.indexOf("#");
    return hash > 0 && this.resolve(href.slice(0, hash)) === this.#url.replace(/#.*$/s, "");
  }

  /** Resolves a plain web URL; undefined for URLs that need a URL parser. */
  resolvePlain(href: string): string | undefined {
    const first = href.charCodeAt(0);
    if (first === LOWER_H && PLAIN_ABSOLUTE.test(href)) return href;
    if (this.#origin === undefined) return undefined;
    if (first === SLASH) return PLAIN_ROOTED.test(href) ? this.#origin + href : undefined;
    return PLAIN_RELATIVE.test(href) ? this.#folder + href : undefined;
  }
}
