import type { Statements } from "../storage/database/database.ts";
import { firstNews, getDiff } from "./check-pages.ts";
import { newsText } from "./notify.ts";

const MAX_CHECKS = 20;
const MAX_ENTRIES = 50;
const CONTROLS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

interface Feed {
  readonly monitorId: string;
  readonly name: string;
  /** Address of the feed. */
  readonly url: string;
  /** Of a feed without entries. */
  readonly createdAtMs: number;
}

/** The newest changes of a monitor as an Atom feed (RFC 4287). Pages of the base line are no changes. */
export async function writeFeed(
  statements: Statements,
  { monitorId, name, url, createdAtMs }: Feed,
): Promise<string> {
  const checks = await statements
    .prepared<{ id: string; finishedAtMs: number }>(
      `SELECT id, finished_at AS "finishedAtMs" FROM monitor_checks
       WHERE monitor_id = ? AND finished_at IS NOT NULL AND changed + fresh + removed + failed > 0 AND id >
         (SELECT min(id) FROM monitor_checks WHERE monitor_id = ? AND total > failed)
       ORDER BY id DESC LIMIT ?`,
    )
    .all(monitorId, monitorId, MAX_CHECKS);
  const entries: string[] = [];
  for (const { id, finishedAtMs } of checks) {
    if (entries.length >= MAX_ENTRIES) break;
    for (const page of await firstNews(statements, id, MAX_ENTRIES - entries.length)) {
      const text = newsText(page, await getDiff(statements, id, page.number), true);
      entries.push(`<entry>
<id>urn:pergamon:${id}:${page.number}</id>
<title>${escaped(`${page.status}: ${page.url}`)}</title>
<link href="${escaped(page.url)}"/>
<updated>${new Date(finishedAtMs).toISOString()}</updated>
<content type="text">${escaped(text)}</content>
</entry>`);
    }
  }
  const updated = new Date(checks[0]?.finishedAtMs ?? createdAtMs).toISOString();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${monitorId}</id>
<title>${escaped(name)}</title>
<author><name>Pergamon</name></author>
<link rel="self" href="${escaped(url)}"/>
<updated>${updated}</updated>
${entries.join("\n")}
</feed>
`;
}

function escaped(text: string): string {
  return text.replace(CONTROLS, "").replace(/[&<>"]/g, (sign) => SIGNS.get(sign) ?? sign);
}
