import { isJsonObject } from "@pergamon-dev/kit/json";
import type { Parameters } from "./command.ts";
import { CommandRefusal } from "./refusal.ts";

const SCHEMES = new Set(["http:", "https:", "data:"]);
/** Every other URL of this scheme is a page of the browser's own. */
const BLANK = /^about:blank(?:[?#]|$)/;

const LINE_END = /[\0\r\n]/;

const ONLY_WEB = "Only web addresses can be opened: http, https, data and about:blank.";

/**
 * Returns the URL as it goes on to the browser: serialized from what was parsed here, so that both read the
 * same.
 * @throws Refusal for files, pages of the browser, scripts and all other non-web URLs.
 */
export function webAddress(value: unknown): string {
  if (typeof value !== "string" || !URL.canParse(value)) throw new CommandRefusal(ONLY_WEB);
  const { protocol, href } = new URL(value);
  if (!SCHEMES.has(protocol) && !BLANK.test(href)) throw new CommandRefusal(ONLY_WEB);
  return href;
}

/**
 * Refuses answers that redirect to anything other than a web URL.
 * @param headers entries of name and value, as `Fetch.fulfillRequest` takes them
 */
export function refuseForeignRedirect({ responseHeaders, binaryResponseHeaders }: Parameters): void {
  if (binaryResponseHeaders !== undefined)
    throw new CommandRefusal("'binaryResponseHeaders' is not available here: use 'responseHeaders'.");
  if (responseHeaders === undefined) return;
  if (!Array.isArray(responseHeaders)) throw new CommandRefusal("'responseHeaders' has to be a list.");
  for (const header of responseHeaders) {
    if (!isJsonObject(header) || typeof header["name"] !== "string" || typeof header["value"] !== "string")
      throw new CommandRefusal("Headers have a name and a value.");
    if (LINE_END.test(header["name"] + header["value"]))
      throw new CommandRefusal("Headers have one line each.");
    // A value that cannot be parsed alone is relative to the URL of the request.
    const leads = header["name"].trim().toLowerCase() === "location" && URL.canParse(header["value"]);
    if (leads) webAddress(header["value"]);
  }
}
