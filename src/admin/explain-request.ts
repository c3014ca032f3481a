import { errorCodes } from "../contract/error-codes.ts";
import type { RequestAnswer } from "../contract/operator/requests.ts";
import { ownProperty } from "../kit/own-property.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";

type Explanation = RequestAnswer["data"]["explanation"];

/** What to do about a failure, by its code. Where nothing stands, the message says it. */
const REMEDIES: Readonly<Record<string, string>> = {
  SCRAPE_TIMEOUT:
    "Look where the time went. A slow page needs a higher `timeout`; one that never becomes ready a shorter `waitFor`, or a selector to wait for.",
  SCRAPE_ALL_ENGINES_FAILED:
    "Replay with `proxy: enhanced`. If the page needs scripts, the set-up list tells whether a browser was found.",
  SCRAPE_ACTIONS_NOT_SUPPORTED:
    "Actions need a browser: the set-up list on the overview tells how to get one.",
  SCRAPE_ACTION_ERROR:
    "Look at a screenshot of the page, correct the selector, or wait for the element before the action. Then replay with changes.",
  SCRAPE_DNS_RESOLUTION_ERROR:
    "Check the spelling of the host name, and the name servers in the set-up list.",
  SCRAPE_SSL_ERROR:
    "The site's certificate is not good. Replay with `skipTlsVerification: true` if that is known.",
  SCRAPE_SITE_ERROR: "Open the page in a browser. If it works there, replay with `proxy: enhanced`.",
  SCRAPE_PROXY_SELECTION_ERROR: "Name a country that PROXIES has, or leave `location.country` out.",
  SCRAPE_UNSUPPORTED_FILE_ERROR: "Ask for `rawBase64` alone, which takes any file as it is.",
  SCRAPE_PDF_OCR_REQUIRED:
    "Text in pictures needs tesseract: the set-up list on the overview tells how to get it.",
  SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: "Replay with a higher `timeout`, or fewer pages by `maxPages`.",
  SCRAPE_NO_CACHED_DATA: "Replay: it fetches the page and fills the cache.",
  SCRAPE_LOCKDOWN_CACHE_MISS: "Scrape the page once without `lockdown`.",
  SAFE_MODE_BLOCKED: "Leave `safeMode` out if the site's owner agrees, or scrape another page.",
  UNSUPPORTED_SITE: "The operator blocks this site: change BLOCKED_DOMAINS.",
  unsafe_domain_blocked: "Change the team's threat policy if the page is known to be good.",
  PROFILE_LOCKED: "Wait until the other session ends, or replay with `saveChanges: false`.",
  PROFILE_UNREADABLE: "The key that sealed it is gone: put SECRET_KEY back, or delete the profile.",
  CONCURRENCY_QUEUE_TIMEOUT: "Raise the team's concurrency, or send fewer requests at once.",
  SCRAPE_JOB_CANCELLED:
    "Nothing is wrong here: the client went away, or its key was revoked. Replay to see the answer.",
  insufficient_credits: "Add credits to the team.",
  OVERLOADED:
    "Replay later. If it happens often, this machine is too small for SCRAPE_CONCURRENCY and BROWSER_TABS.",
  UNKNOWN_ERROR: "The log of the service has more under the id of the request.",
};

/** Answers of pages that are no pages: what they mean, and what to do. */
const PAGE_STATUSES: readonly (readonly [RegExp, string, string])[] = [
  [
    /^401$/,
    "The site wants a login.",
    "Replay with `headers` of a login, or with a `profile` that is logged in.",
  ],
  [
    /^403$/,
    "The site refused the visit.",
    "Replay with `proxy: enhanced`, another `location`, or a `profile` that is logged in.",
  ],
  [/^(?:404|410)$/, "The site has no such page.", "Check the address."],
  [/^429$/, "The site was asked too often.", "Send fewer requests to it, or set PROXIES."],
  [/^4\d\d$/, "The site refused the request.", "Check address and `headers`."],
  [/^5\d\d$/, "The site itself failed.", "Replay later."],
];

/** Why a request ended as it did, and what to do about it. @param message what the service said then. */
export function explainRequest(record: ScrapeRecord, message: string | undefined): Explanation {
  const cause = message ?? null;
  const { status, errorCode = "UNKNOWN_ERROR", statusCode = 200 } = record;
  if (status === "failed") {
    const meaning =
      ownProperty<{ readonly message: string }>(errorCodes, errorCode)?.message ?? "The request failed.";
    const what = firstSentence(meaning);
    return {
      what,
      cause: withoutStart(cause ?? meaning, what),
      remedy: ownProperty(REMEDIES, errorCode) ?? null,
    };
  }
  const odd = PAGE_STATUSES.find(([pattern]) => pattern.test(String(statusCode)));
  if (odd) return { what: `${odd[1]} It answered ${statusCode}.`, cause, remedy: odd[2] };
  if (cause === null) return { what: "The request succeeded.", cause, remedy: null };
  return {
    what: "The page was answered, but not everything that was asked for.",
    cause,
    remedy: remedyOfWarning(cause),
  };
}

/** What the set-up list has a line for. */
function remedyOfWarning(warning: string): string | null {
  if (/model/i.test(warning)) return "Set a language model: the set-up list on the overview tells how.";
  if (/browser|engine|screenshot/i.test(warning))
    return "Look for the browser in the set-up list on the overview.";
  return null;
}

/** What a text says beyond its first sentence, when that has been said; null when nothing is left. */
function withoutStart(text: string, said: string): string | null {
  const rest = text.startsWith(said) ? text.slice(said.length).trim() : text;
  return rest === "" ? null : rest;
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
}
