import { z } from "zod";

import { monitor } from "./monitor.ts";
import { defineTool, MAX_ID_LENGTH } from "../mcp/tool.ts";

/** Limits of the output, because every line costs tokens. */
const CHECKS = 10;
const PAGES = 50;
const MAX_DIFF_LENGTH = 2000;

export const monitorChecks = defineTool({
  title: "What monitors found",
  description:
    "Without an id: list monitors. With one: list its last checks, and what changed in the newest, as diffs.",
  input: z.strictObject({
    id: z.string().max(MAX_ID_LENGTH).optional(),
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  endpoint: "monitor",
  rate: "crawlStatus",
  async call({ id }, { caller, linkBase }, { families }) {
    const { desk } = monitor.at(families.jobs);
    const who = { caller, linkBase };
    if (id === undefined) {
      const { data: monitors } = await desk.list({ limit: 100, offset: 0 }, who);
      const lines = monitors.map((one) => `${one.id} – ${one.name} – ${one.status}`);
      return textOf(lines.length > 0 ? lines : ["There are no monitors."]);
    }
    const { checks } = await desk.checks(id, { limit: CHECKS, offset: 0 }, who);
    const lines = checks.map(({ createdAt, status, summary: { changed, new: fresh, removed, error } }) =>
      [createdAt, status, `${changed} changed, ${fresh} new, ${removed} removed, ${error} failed`].join(
        " – ",
      ),
    );
    const [newest] = checks;
    if (!newest) return textOf(["No check has run yet."]);
    const part = { skip: 0, limit: PAGES, status: "changed" as const };
    const { pages } = await desk.check(id, newest.id, part, who);
    const changed = pages.map(({ url, diff, judgment }) => {
      const text = diff?.["text"];
      const shown = typeof text === "string" ? text : JSON.stringify(diff?.["json"] ?? {});
      return [url, judgment?.reason, shown.slice(0, MAX_DIFF_LENGTH)].filter(Boolean).join("\n");
    });
    return textOf([...lines, "", ...changed]);
  },
});

function textOf(lines: readonly string[]) {
  return { content: [{ type: "text" as const, text: lines.join("\n") }] };
}
