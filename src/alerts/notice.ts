import type { Cause } from "./causes.ts";

/** An alert that has begun, or is over. */
export interface News extends Cause {
  readonly state: "began" | "over";
  readonly sinceMs: number;
}

/** What a message tells, by whichever way. */
export interface Notice {
  readonly title: string;
  readonly body: NoticeBody;
}

export interface NoticeBody {
  /** All of it in words: chat programs show a member of this name. */
  readonly text: string;
  readonly data: readonly {
    readonly cause: string;
    readonly state: "began" | "over";
    readonly title: string;
    readonly detail: string;
    readonly since: string;
    readonly at: string;
  }[];
  /** How many more there are, which no message has room for. */
  readonly more: number;
}

const MAX_LISTED = 50;
/** Names of teams are as long as they like. */
const MAX_TITLE_LENGTH = 200;

export function noticeOf(news: readonly News[], nowMs: number): Notice {
  const at = new Date(nowMs).toISOString();
  const listed = news.slice(0, MAX_LISTED);
  const more = news.length - listed.length;
  const data = listed.map(({ cause, state, title, detail, sinceMs }) => ({
    cause,
    state,
    title: plain(title),
    detail: plain(detail),
    since: new Date(sinceMs).toISOString(),
    at,
  }));
  const lines = data.map((one) =>
    one.state === "over" ? `Over: ${one.title} (since ${one.since})` : `${one.title}. ${one.detail}`,
  );
  const text = [...lines, ...(more > 0 ? [`… and ${more} more.`] : [])].join("\n");
  const first = data[0];
  const others = news.length > 1 ? ` and ${news.length - 1} more` : "";
  const title = `${first?.state === "over" ? "Over: " : ""}${first?.title ?? ""}${others}`;
  return { title, body: { text, data, more } };
}

/** On one line, without what turns the direction of writing. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").slice(0, MAX_TITLE_LENGTH);
}
