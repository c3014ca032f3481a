import type { CdpMethod } from "../cdp/cdp-session.ts";
import { refuseForeignRedirect, webAddress } from "./addresses.ts";
import { isJsonObject } from "@pergamon-dev/kit/json";
import type { Parameters } from "./command.ts";
import { CommandRefusal } from "./refusal.ts";
import type { ClientScope } from "./client-scope.ts";

/** Checks a command to a page, and returns the parameters to send. @throws Refusal */
type PageCheck = (params: Parameters, scope: ClientScope) => Parameters;

/** Methods of a page that a client may call within limits. */
export const checkedPageMethods: Readonly<Partial<Record<CdpMethod, PageCheck>>> = {
  "Page.navigate": (params) => ({ ...params, url: webAddress(params["url"]) }),
  "Fetch.continueRequest": (params) =>
    params["url"] === undefined ? params : { ...params, url: webAddress(params["url"]) },
  "Fetch.continueResponse": withOwnRedirect,
  "Fetch.fulfillRequest": withOwnRedirect,
  "Input.dispatchDragEvent": withoutFiles,
  "Page.printToPDF": withHarmlessTemplates,
  "Storage.clearCookies": ofThisPage,
  "Storage.getCookies": ofThisPage,
  "Storage.setCookies": ofThisPage,
  "Target.detachFromTarget": ({ sessionId }, scope) => ({ sessionId: scope.ownSession(sessionId) }),
  "Target.getTargetInfo": (params, scope) =>
    params["targetId"] === undefined ? {} : { targetId: scope.ownTarget(params["targetId"]) },
  "Target.setAutoAttach": flat,
};

function withOwnRedirect(params: Parameters): Parameters {
  refuseForeignRedirect(params);
  return params;
}

/**
 * Matches style sheets, fonts and objects that a template loads. They make Chromium end the process that
 * prints, and the session with it.
 */
const LOADED_PART = /<(?:link|object|embed)(?=[\s/>])|@(?:import|font-face|\\)/i;

function withHarmlessTemplates(params: Parameters): Parameters {
  const { headerTemplate, footerTemplate } = params;
  for (const [name, template] of Object.entries({ headerTemplate, footerTemplate })) {
    const found = typeof template === "string" ? LOADED_PART.exec(template)?.[0] : undefined;
    if (found === undefined) continue;
    throw new CommandRefusal(
      `'${name}' cannot hold '${found}': Chromium would end the page. Use plain styles and installed fonts.`,
    );
  }
  return params;
}

/** A page can read or open what is dropped on it. */
function withoutFiles(params: Parameters): Parameters {
  const { data } = params;
  if (!isJsonObject(data)) throw new CommandRefusal("'data' has to be an object.");
  const { files = [], items } = data;
  if (!Array.isArray(files) || files.length > 0)
    throw new CommandRefusal("Files of this machine cannot be dropped.");
  if (!Array.isArray(items)) throw new CommandRefusal("'data.items' has to be a list.");
  for (const item of items) refuseForeignAddresses(item);
  return params;
}

/** NOTE: lines that begin with `#` are comments (RFC 2483, section 5). */
function refuseForeignAddresses(item: unknown): void {
  if (!isJsonObject(item) || typeof item["mimeType"] !== "string" || typeof item["data"] !== "string")
    throw new CommandRefusal("Items have a type and data.");
  if (!/^text\/uri-list/i.test(item["mimeType"].trim())) return;
  const lines = item["data"].split(/[\r\n]+/).filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of lines) webAddress(line);
}

/** Commands without a context mean the page's own. */
function ofThisPage(params: Parameters): Parameters {
  if (params["browserContextId"] !== undefined)
    throw new CommandRefusal("'browserContextId' is not available here: pages have one context.");
  return params;
}

/** Refuses nested messages, which would not be checked. */
export function flat(params: Parameters): Parameters {
  if (params["autoAttach"] === true && params["flatten"] !== true)
    throw new CommandRefusal("Sessions have to be flat: set 'flatten' to true.");
  return { ...params, flatten: true };
}
