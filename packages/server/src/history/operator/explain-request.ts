import { errorCodes } from "../../api/error-codes.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ScrapeRecord } from "../scrape-rows.ts";
import { remedyOf } from "./remedies.ts";
import type { RequestAnswer } from "./show-request.ts";

type Explanation = RequestAnswer["data"]["explanation"];

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
  const { kind, status, errorCode = "UNKNOWN_ERROR", statusCode = 200 } = record;
  if (kind === "session") return explainSession(record);
  if (kind === "refused") {
    const what = "The call was refused before any work began, so it cost nothing.";
    return { what, cause, remedy: remedyOf(errorCode, cause ?? "") };
  }
  if (status === "failed") {
    const meaning =
      ownProperty<{ readonly message: string }>(errorCodes, errorCode)?.message ?? "The request failed.";
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

/** Why a browser session ended, by the reason in its line of the log. */
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
