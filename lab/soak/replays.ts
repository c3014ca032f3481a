import type { CompareAnswer } from "../../src/contract/operator/compare.ts";
import type { ReplayAnswer, RequestsAnswer } from "../../src/contract/operator/requests.ts";
import { ADMIN_KEY, KEYED, makeTeam, type TestTeam } from "../../test/operator.ts";
import { openWorld, type World } from "../../test/world.ts";
import { addReplayPages, type ReplayCase, replayCases } from "./replay-cases.ts";

export interface ReplayReport {
  readonly requests: number;
  /** How many of them were answered; the others failed, and had to fail again. */
  readonly answered: number;
  readonly screenshots: number;
  readonly problems: readonly string[];
}

/** Enough for a browser or two in addition to plain requests. */
const AT_ONCE = 3;

/**
 * Records requests for all formats of pages that stay as they are, replays each, and has the service compare. Nothing
 * may differ: no answer, no outcome, no price.
 */
export async function replayRecorded(most = Number.POSITIVE_INFINITY): Promise<ReplayReport> {
  const world = await openWorld(KEYED);
  try {
    const team = await makeTeam(world, { credits: 100_000 });
    const cases = replayCases(addReplayPages(world.site)).slice(0, most);
    const reports: CaseReport[] = [];
    const waiting = [...cases.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        reports.push(await replayCase(next[1], next[0], { world, team }));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return {
      requests: reports.length,
      answered: reports.filter(({ isAnswered }) => isAnswered).length,
      screenshots: reports.filter(({ hasScreenshot }) => hasScreenshot).length,
      problems: reports.flatMap(({ problems }) => problems),
    };
  } finally {
    await world.close();
  }
}

interface CaseReport {
  readonly isAnswered: boolean;
  readonly hasScreenshot: boolean;
  readonly problems: readonly string[];
}

interface Bench {
  readonly world: World;
  readonly team: TestTeam;
}

async function replayCase(wanted: ReplayCase, index: number, { world, team }: Bench): Promise<CaseReport> {
  // Each has an address of its own, by which the log finds it, however it ended.
  const mark = `case=${index}.`;
  const { status } = await team.scrape({ ...wanted.body, url: `${wanted.body.url}?${mark}` });
  const { data } = await ask<RequestsAnswer>(world, `GET requests?search=${encodeURIComponent(mark)}`);
  const id = data[0]?.id;
  const name = `${wanted.name} of ${wanted.body.url}`;
  if (id === undefined) return { ...NOTHING, problems: [`${name} is not in the log`] };
  const replayed = (await ask<ReplayAnswer>(world, `POST requests/${id}/replay`, {})).data;
  const compared = (await ask<CompareAnswer>(world, `GET compare?a=${id}&b=${replayed.id}`)).data;
  return {
    isAnswered: status === 200,
    hasScreenshot: compared.screenshots !== null,
    problems: problemsOf(name, compared),
  };
}

const NOTHING = { isAnswered: false, hasScreenshot: false };

function problemsOf(name: string, compared: CompareAnswer["data"]): readonly string[] {
  const { isSame, a, b, screenshots, request, outcome, markdown, json, metadata, missing } = compared;
  const price =
    a.creditsUsed === b.creditsUsed ? [] : [`${name} cost ${a.creditsUsed}, then ${b.creditsUsed}`];
  const unseen = screenshots && screenshots.isSame === null ? [`${name}: its screenshots are gone`] : [];
  if (isSame) return [...price, ...unseen];
  const hunks = markdown?.hunks.slice(0, 1);
  const pixels = screenshots?.differentPixels;
  const told = JSON.stringify({ missing, request, outcome, json, metadata, hunks, pixels });
  return [...price, ...unseen, `${name} differs: ${told.slice(0, 600)}`];
}

async function ask<Answer>({ baseUrl }: World, line: string, body?: object): Promise<Answer> {
  const [method = "GET", path = ""] = line.split(" ");
  const response = await fetch(`${baseUrl}/admin/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${line} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
