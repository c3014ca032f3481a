import { judgeStaticPage } from "../../packages/server/src/fetch/fallback/static-page.ts";
import { type BlockedPage, type MadePage, makeBlockedPages } from "./blocked-pages.ts";
import { makeRealPages } from "./real-pages.ts";

/** Shares of the labelled pages that are judged right, and a line for each page that is not. */
interface JudgedSet {
  readonly blocked: number;
  readonly real: number;
  /** Blocked pages of systems that nothing was made for. */
  readonly apart: number;
  /** Kinds that are right, of blocked pages that were known as such. */
  readonly kinds: number;
  readonly wrong: readonly string[];
}

export function judgeLabelledPages(): JudgedSet {
  const blocked = makeBlockedPages().map((page) => ({ page, judged: judge(page) }));
  const real = makeRealPages().map((page) => ({ page, judged: judge(page) }));
  const known = blocked.filter(({ page }) => !page.isApart);
  const found = ({ judged }: { readonly judged: ReturnType<typeof judge> }) => judged !== undefined;
  const isSameKind = ({ page, judged }: { readonly page: BlockedPage; readonly judged: ReturnType<typeof judge> }) =>
    page.kind === judged?.kind;
  return {
    blocked: share(known, found),
    real: share(real, (one) => !found(one)),
    apart: share(
      blocked.filter(({ page }) => page.isApart),
      found,
    ),
    kinds: share(blocked.filter(found), isSameKind),
    wrong: [
      ...blocked.filter((one) => !found(one)).map(({ page }) => `missed: ${page.name} (${page.status})`),
      ...real.filter(found).map(({ page, judged }) => `taken for ${judged?.kind}: ${page.name}`),
      ...blocked
        .filter((one) => found(one) && !isSameKind(one))
        .map(({ page, judged }) => `${page.kind} taken for ${judged?.kind}: ${page.name} (${page.status})`),
    ],
  };
}

function judge({ html, status, headers }: MadePage) {
  return judgeStaticPage({
    requestedUrl: "https://site.test/page",
    url: "https://site.test/page",
    statusCode: status,
    reason: "",
    headers,
    contentType: "text/html",
    body: Buffer.from(html),
    engine: "http",
    proxyUsed: "basic",
    capturedAtMs: 0,
  }).blocked;
}

function share<Value>(values: readonly Value[], isRight: (value: Value) => boolean): number {
  return values.filter(isRight).length / values.length;
}
