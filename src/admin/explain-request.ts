import { errorCodes } from "../contract/error-codes.ts";
import type { RequestAnswer } from "../contract/operator/requests.ts";
import { ownProperty } from "../kit/own-property.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";

type Explanation = RequestAnswer["data"]["explanation"];

/** What to do about a failure, by its code. Where nothing stands, the message says it. */
const REMEDIES: Readonly<Record<string, string>> = {
  SCRAPE_TIMEOUT:
    "See where the time went. For a slow page, raise `timeout`. For a page that never becomes ready, lower `waitFor` or wait for a selector.",
  SCRAPE_ALL_ENGINES_FAILED:
    "Replay with `proxy: enhanced`. If the page needs scripts, check in the set-up list that a browser was found.",
  SCRAPE_ACTIONS_NOT_SUPPORTED:
    "Actions require a browser. The set-up list on the overview says how to install one.",
  SCRAPE_ACTION_ERROR:
    "Check a screenshot of the page, correct the selector, or wait for the element before the action. Then replay with changes.",
  SCRAPE_DNS_RESOLUTION_ERROR:
    "Check the spelling of the host name, and the name servers in the set-up list.",
  SCRAPE_SSL_ERROR:
    "The TLS certificate of the site is invalid. If that is expected, replay with `skipTlsVerification: true`.",
  SCRAPE_SITE_ERROR: "Open the page in a browser. If it works there, replay with `proxy: enhanced`.",
  SCRAPE_PROXY_SELECTION_ERROR: "Use a country that PROXIES covers, or omit `location.country`.",
  SCRAPE_UNSUPPORTED_FILE_ERROR: "Request only `rawBase64`, which returns any file unchanged.",
  SCRAPE_PDF_OCR_REQUIRED:
    "Text in images requires tesseract. The set-up list on the overview says how to install it.",
  SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: "Replay with a higher `timeout`, or a lower `maxPages`.",
  SCRAPE_NO_CACHED_DATA: "Replay the request. The replay fetches the page and fills the cache.",
  SCRAPE_LOCKDOWN_CACHE_MISS: "Scrape the page once without `lockdown`.",
  SAFE_MODE_BLOCKED: "Omit `safeMode` if the owner of the site agrees, or scrape another page.",
  UNSUPPORTED_SITE: "The operator has blocked this site. To allow it, change BLOCKED_DOMAINS.",
  unsafe_domain_blocked: "If the page is safe, change the team's threat policy.",
  PROFILE_LOCKED: "Wait until the other session ends, or replay with `saveChanges: false`.",
  PROFILE_UNREADABLE:
    "The key that encrypted the profile is missing. Restore SECRET_KEY, or delete the profile.",
  CONCURRENCY_QUEUE_TIMEOUT: "Raise the team's concurrency, or send fewer requests at once.",
  SCRAPE_JOB_CANCELLED: "The client disconnected, or its key was revoked. Replay to see the response.",
  insufficient_credits: "Add credits to the team.",
  OVERLOADED:
    "Replay later. If it happens often, this machine is too small for SCRAPE_CONCURRENCY and BROWSER_TABS.",
  UNKNOWN_ERROR: "Search the log of the service for the id of the request.",
};

/** Answers of pages that are not pages: what they mean, and what to do. */
const PAGE_STATUSES: readonly (readonly [RegExp, string, string])[] = [
  [
    /^401$/,
    "The site requires a login.",
    "Replay with the `headers` of a login, or with a `profile` that is logged in.",
  ],
  [
    /^403$/,
    "The site refused the visit.",
    "Replay with `proxy: enhanced`, another `location`, or a `profile` that is logged in.",
  ],
  [/^(?:404|410)$/, "The page does not exist.", "Check the URL."],
  [/^429$/, "The site's rate limit was reached.", "Send fewer requests to it, or set PROXIES."],
  [/^4\d\d$/, "The site refused the request.", "Check the URL and the `headers`."],
  [/^5\d\d$/, "The site had an internal error.", "Replay later."],
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
    what: "The request succeeded, but part of the requested data is missing.",
    cause,
    remedy: remedyOfWarning(cause),
  };
}

/** What the set-up list has a line for. */
function remedyOfWarning(warning: string): string | null {
  if (/model/i.test(warning)) return "Configure a language model. The set-up list on the overview says how.";
  if (/browser|engine|screenshot/i.test(warning))
    return "Check the browser in the set-up list on the overview.";
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
