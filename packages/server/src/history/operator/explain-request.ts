import { allErrors } from "../../api/error-codes.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ScrapeRecord } from "../scrape-rows.ts";
import type { RequestAnswer } from "./show-request.ts";

type Explanation = RequestAnswer["data"]["explanation"];

/** Patterns of error pages, each with its meaning and a remedy. */
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

/** Explains the outcome of a request, with a remedy. @param message the service's message at the time. */
export function explainRequest(record: ScrapeRecord, message: string | undefined): Explanation {
  const cause = message ?? null;
  const { kind, status, errorCode = "UNKNOWN_ERROR", statusCode = 200 } = record;
  if (kind === "session") return explainSession(record);
  if (kind === "refused") {
    const what = "The call was refused before any work began, so it cost nothing.";
    return { what, cause, remedy: remedyOf(errorCode, cause ?? "") };
  }
  if (status === "failed") {
    const meaning = allErrors.find(({ code }) => code === errorCode)?.message ?? "The request failed.";
    const what = firstSentence(meaning);
    return {
      what,
      cause: withoutStart(cause ?? meaning, what),
      remedy: remedyOf(errorCode, cause ?? meaning),
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

/** Explanations of why a browser session ended, by the reason in its row of the log. */
const SESSION_ENDS: Readonly<Record<string, string>> = {
  stopped: "The browser session was ended by its caller.",
  expired: "The browser session reached its maximum duration.",
  idle: "The browser session ended because it was idle.",
  "browser-lost": "The browser of the session stopped working.",
  credits: "The browser session ended because the team had no credits left.",
  revoked: "The browser session ended because its key was revoked.",
  shutdown: "The browser session ended with the service.",
  crashed: "The service was interrupted during the browser session.",
  lost: "The browser session was lost.",
};

function explainSession({ url }: ScrapeRecord): Explanation {
  const reason = url.slice(url.indexOf(":") + 1);
  const what = ownProperty(SESSION_ENDS, reason) ?? "The browser session ended.";
  return { what, cause: null, remedy: reason === "credits" ? remedyOf("insufficient_credits", "") : null };
}

/** The remedy when the warning has an entry in the set-up list. */
function remedyOfWarning(warning: string): string | null {
  if (/model/i.test(warning)) return "Configure a language model. The set-up list on the overview says how.";
  if (/browser|engine|screenshot/i.test(warning))
    return "Check the browser in the set-up list on the overview.";
  return null;
}

/** Removes the part of a text that was already said; null when nothing is left. */
function withoutStart(text: string, said: string): string | null {
  const rest = text.startsWith(said) ? text.slice(said.length).trim() : text;
  return rest === "" ? null : rest;
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** Part of a message → remedy. The first match wins, and precedes the remedy of the code. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /Connection violated security rules/,
    "If this private target is yours, start the service with that setting. Otherwise, correct the URL.",
  ],
  [
    /The connection was refused/,
    "Nothing accepts connections at this host and port. Check the URL, and whether the site is running.",
  ],
  [
    /ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/,
    "The site closed the connection without an answer, which some sites do to visitors they do not want. Replay with `proxy: enhanced`.",
  ],
  [
    /ERR_TIMED_OUT/,
    "The host did not answer. Test it from this machine with `npx pergamon doctor --reach`, then check the network and the firewall.",
  ],
  [
    /ERR_TOO_MANY_REDIRECTS/,
    "The site redirects in a circle, often because it expects a cookie. Replay with `headers` or with a `profile` that is logged in.",
  ],
  [
    /ERR_INVALID_RESPONSE/,
    "The answer of the site breaks the HTTP protocol. Check the port and the scheme of the URL.",
  ],
  [
    /ERR_(?:PROXY|TUNNEL)_CONNECTION_FAILED/,
    "Your own proxy did not connect. Test PROXIES in Settings, then start the proxy or correct the setting.",
  ],
  [/while the browser was starting/, "Replay now: the browser is running by then."],
  [
    /reason other than the certificate/,
    "The site accepts no TLS version that is still safe. Try its URL with `http:`.",
  ],
  [/File exceeds size limit/, "The file is too large. Scrape a page that links to a smaller version of it."],
  [/No engine is available/, "Check the browser and the HTTP client in the set-up list on the overview."],
];

/** Remedies of refusals without a code. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthorized:
    "The caller needs a valid key of this service. Create one in Keys, or look there whether theirs was revoked.",
  forbidden: "Change the restrictions of the key in Keys, or the permissions of the team in Teams.",
  rate_limited: "Raise the limit of the key or of its team, or ask the caller to send fewer requests.",
  conflict: "The caller should try again later.",
};

/**
 * The remedy of a failure; null when the message contains it already.
 * @param message the service's message at the time.
 */
function remedyOf(code: string, message: string): string | null {
  const known = CAUSES.find(([pattern]) => pattern.test(message));
  const coded = allErrors.find((error) => error.code === code);
  return known?.[1] ?? coded?.remedy ?? ownProperty<string>(REMEDIES, code) ?? null;
}
