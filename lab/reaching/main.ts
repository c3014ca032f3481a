
import { startService } from "../bench/processes.ts";
import { type ChallengeSite, INSIDE, NEVER_PASSABLE, PASSABLE, serve } from "./challenge-sites.ts";
import { detectorFigures } from "./detectors.ts";
import { judgeLabelledPages } from "./judged.ts";
import { realAnubis } from "./real-anubis.ts";

/** How well pages are reached, beside what it should be: `npm run lab -- reaching`. */
interface Target {
  readonly name: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
}

interface Scraped {
  readonly isInside: boolean;
  readonly durationMs: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly warning: string | undefined;
}

const MAX_SCRAPE_MS = 60_000;
/** More than a settled page takes, at most: the wait, and another look. */
const MAX_NEVER_MS = 25_000;

async function run(): Promise<boolean> {
  const targets = [...labelled()];
  // The page that compares contexts has a frame of another site.
  const service = await startService({ EGRESS_ALLOW: "127.0.0.1,127.0.0.2" });
  try {
    const scrape = (url: string) => scrapePage(service.url, url);
    targets.push(await passable("challenge pages passed", PASSABLE, PASSABLE.length - 2, scrape));
    targets.push(...(await neverPassable(scrape)));
    await realAnubis(async (url, name) => {
      const site = await scrape(url);
      targets.push({ name: `real Anubis, ${name}: passed`, value: Number(site.isInside), least: 1 });
      console.log(line(name, site));
    });
    targets.push(...(await detectorFigures(service.url)));
  } finally {
    await service.stop();
  }
  console.log("");
  for (const target of targets) console.log(`${isMet(target) ? "met   " : "MISSED"} ${lineOf(target)}`);
  return targets.every(isMet);
}

function labelled(): readonly Target[] {
  const { blocked, real, apart, kinds, wrong } = judgeLabelledPages();
  for (const text of wrong) console.log(text);
  return [
    { name: "labelled: blocked pages known", value: blocked, least: 0.97 },
    { name: "labelled: real pages left alone", value: real, least: 0.97 },
    { name: "labelled: blocked by systems kept apart", value: apart, least: 0.85 },
    { name: "labelled: kinds of those that were known", value: kinds, least: 0.9 },
  ];
}

type Scrape = (url: string) => Promise<Scraped>;

async function passable(
  name: string,
  sites: readonly ChallengeSite[],
  least: number,
  scrape: Scrape,
): Promise<Target> {
  let value = 0;
  for (const site of sites) {
    const { url, server } = await serve(site);
    const scraped = await scrape(url);
    if (scraped.isInside) value += 1;
    console.log(line(site.name, scraped));
    server.close();
  }
  return { name: `${name}, of ${sites.length}`, value, least };
}

/** Each is asked twice: the second answer may not come from the cache. */
async function neverPassable(scrape: Scrape): Promise<readonly Target[]> {
  let said = 0;
  let kept = 0;
  let longestMs = 0;
  for (const site of NEVER_PASSABLE) {
    const { url, server } = await serve(site);
    const first = await scrape(url);
    const second = await scrape(url);
    const isSaid = ({ metadata, warning }: Scraped) =>
      metadata["blocked"] !== undefined && metadata["error"] !== undefined && warning !== undefined;
    if (isSaid(first) && isSaid(second)) said += 1;
    if (second.metadata["cacheState"] === "hit") kept += 1;
    longestMs = Math.max(longestMs, first.durationMs);
    console.log(line(site.name, first));
    server.close();
  }
  return [
    { name: `never passable: said, of ${NEVER_PASSABLE.length}`, value: said, least: NEVER_PASSABLE.length },
    { name: "never passable: answered from the cache", value: kept, most: 0 },
    { name: "never passable: longest scrape, s", value: longestMs / 1000, most: MAX_NEVER_MS / 1000 },
  ];
}

async function scrapePage(service: string, url: string): Promise<Scraped> {
  const startedAtMs = performance.now();
  const reply = await fetch(`${service}/v2/scrape`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url, onlyMainContent: false }),
    signal: AbortSignal.timeout(MAX_SCRAPE_MS),
  });
  const { data, error } = (await reply.json()) as {
    data?: { markdown?: string; metadata: Record<string, unknown>; warning?: string };
    error?: string;
  };
  return {
    isInside: data?.markdown?.includes(INSIDE) === true,
    durationMs: performance.now() - startedAtMs,
    metadata: data?.metadata ?? { error },
    warning: data?.warning,
  };
}

function line(name: string, { isInside, durationMs, metadata }: Scraped): string {
  const { statusCode, blocked, proxyUsed, error } = metadata;
  const rest = isInside ? "" : ` ${JSON.stringify({ statusCode, blocked, error })}`;
  return `${isInside ? "page" : "   -"}  ${(durationMs / 1000).toFixed(1).padStart(5)} s  ${name} (${String(proxyUsed)})${rest}`;
}

function isMet({ value, least = -Infinity, most = Infinity }: Target): boolean {
  return value >= least && value <= most;
}

function lineOf({ name, value, least, most }: Target): string {
  const shown = Number.isInteger(value) ? value : value.toFixed(3);
  return `${name}: ${shown} (${least === undefined ? `at most ${most}` : `at least ${least}`})`;
}

process.exitCode = (await run()) ? 0 : 1;
