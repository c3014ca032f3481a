import { processTree } from "../../../test/process-tree.ts";
import { hasGit, numbersFrom, openGit, randomPair } from "../../../packages/server/src/scrape/diff/by-git.suite.ts";
import { attacks, honest } from "../../../packages/facts/src/prompt-injection/injection-pages.suite.ts";
import type { Figures } from "./labelled-sets.ts";
import type { Service } from "./service.ts";

const PAIRS = 200;
const LINES = 20_000;
const TRACKED = { formats: ["markdown", { type: "changeTracking", modes: ["git-diff"] }] };

/** Attacks that the service refuses to give to a model, and honest pages that it takes for one. */
export async function scoreInjection(service: Service): Promise<Figures> {
  const refused = async (texts: readonly string[]) => {
    let count = 0;
    for (const text of texts) {
      const options = { formats: ["summary"], checkPromptInjection: true };
      const { status, code } = await service.scrapeText("page", text, options);
      if (code === "SCRAPE_PROMPT_INJECTION_DETECTED") count += 1;
      else if (status !== 200) throw new Error(`a page of the injection set is answered ${status} ${code}`);
    }
    return count;
  };
  return [
    ["injection: recall", (await refused(attacks)) / attacks.length],
    ["injection: false alarms, %", (100 * (await refused(honest))) / honest.length],
  ];
}

/** Differences of random pairs beside those of git, and the processor time of a large one. */
export async function scoreChanges(service: Service, pid: number): Promise<Figures> {
  return [
    ...(hasGit ? [["changes: lines shown beside git, %", await shareShownBesideGit(service)] as const] : []),
    ["changes: CPU s for 20,000 lines", await secondsOfLargeDiff(service, pid)],
  ];
}

async function shareShownBesideGit(service: Service): Promise<number> {
  const git = openGit();
  const random = numbersFrom(11);
  let changed = 0;
  let [own, gits] = [0, 0];
  const count = (text: unknown) => String(text).match(/^[-+]/gm)?.length ?? 0;
  for (let pair = 0; changed < PAIRS && pair < 2 * PAIRS; pair += 1) {
    const [before, after] = randomPair(random);
    const first = await service.scrapeText(`pair-${pair}`, before, TRACKED);
    const second = await service.scrapeText(`pair-${pair}`, after, TRACKED);
    // Lines in another order alone are no change, and have no difference to show.
    if (second.data.changeTracking?.changeStatus !== "changed") continue;
    changed += 1;
    const shown = git.diff(first.data.markdown ?? "", second.data.markdown ?? "");
    own += count(second.data.changeTracking.diff);
    gits += count(shown);
  }
  git.close();
  return (100 * own) / gits;
}

/** The whole scrape, of which the difference is a part. */
async function secondsOfLargeDiff(service: Service, pid: number): Promise<number> {
  const lines = Array.from({ length: LINES }, (_, at) => `- line ${at}`);
  const changed = lines.map((line, at) => (at % 3 === 0 ? `${line} x` : line));
  await service.scrapeText("large", lines.join("\n"), TRACKED);
  const tree = processTree(pid);
  const beforeMs = tree.cpuMs();
  const { data } = await service.scrapeText("large", changed.join("\n"), TRACKED);
  if (data.changeTracking?.diff === undefined) throw new Error("the large change has no difference");
  return (tree.cpuMs() - beforeMs) / 1000;
}

const TEXT_CHARACTERS = 100_000;
const ROUNDS = 5;

/** What redaction adds to the processor time of a scrape, the median of a few. */
export async function scoreRedactionCost(
  service: Service,
  { pid, texts }: { pid: number; texts: readonly string[] },
): Promise<Figures> {
  const tree = processTree(pid);
  const documents = Array.from({ length: ROUNDS + 1 }, (_, round) => joined(texts, round));
  const added: number[] = [];
  for (const [round, document] of documents.entries()) {
    const costs: number[] = [];
    for (const redactPII of [false, true]) {
      const before = tree.cpuMs();
      await service.scrapeText(`cost-${round}`, document, { redactPII });
      costs.push(tree.cpuMs() - before);
    }
    // The first loads code and lists.
    if (round > 0) added.push(((costs[1] ?? 0) - (costs[0] ?? 0)) / (Buffer.byteLength(document) / 10_000));
  }
  return [["redaction: CPU ms per 10 KB", added.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN]];
}

/** Other texts of the set each round, one after the other, in a document of a usual size. */
function joined(texts: readonly string[], round: number): string {
  let document = "";
  for (let at = round; document.length < TEXT_CHARACTERS && at < texts.length; at += ROUNDS + 1)
    document += `${texts[at]}\n\n`;
  return document;
}
