import { makeTeam, operate, type TestTeam } from "../../test/operator.ts";
import { htmlPage } from "../../test/site.ts";
import type { World } from "../../test/world.ts";

/** A name as strangers have them: long, from right to left, with markup. */
const TEAMS = ["Research", "Marketing of the northern branch and all its subsidiaries", "مكتبة برغامون", "<b>Bold & Sons</b>"];
const PAGES = 12;

/**
 * Fills a service with something of everything that its screens show.
 * @returns the details that are opened by an id.
 */
export async function fillWorld(world: World): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const links = Array.from({ length: PAGES }, (_, at) => `<a href="/page/${at}">Page ${at}</a>`).join(" ");
  const start = world.site.page("/", htmlPage(`<h1>A site</h1><p>With ${PAGES} pages.</p>${links}`));
  const pages = Array.from({ length: PAGES }, (_, at) =>
    world.site.page(`/page/${at}`, htmlPage(`<h1>Page ${at}</h1><p>${"Words of this page. ".repeat(20)}</p>`)),
  );
  const teams = await Promise.all(TEAMS.map((name) => makeTeam(world, { name, credits: 5000 })));
  const [first] = teams;
  if (!first) throw new Error("There is no team.");
  for (const [at, team] of teams.entries()) await scrapeSome(team, [start, ...pages].slice(0, 4 + 3 * at));
  await world.scrape({ url: start }, { authorization: "Bearer fc-00000000000000000000000000000000" });
  await fillKeys(world, first);
  const ask = async (line: string, body: object) => {
    const [method = "", path = ""] = line.split(" ");
    const headers = { ...first.headers, "content-type": "application/json" };
    const response = await fetch(world.baseUrl + path, { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as { readonly id?: string; readonly data?: { readonly id: string } };
  };
  const crawl = await ask("POST /v2/crawl", { url: start, limit: PAGES });
  const batch = await ask("POST /v2/batch/scrape", { urls: [...pages, "http://gone.invalid/"] });
  const monitor = await ask("POST /v2/monitor", {
    name: "Prices of a shop with a name that is rather long, as names are",
    schedule: { text: "weekly" },
    targets: [{ type: "scrape", urls: [start] }],
  });
  await operate(world, `POST monitors/${monitor.data?.id}/run`);
  await operate(world, "POST backups", {});
  const { data } = (await operate(world, "GET requests?limit=50")).body;
  const failed = data.find(({ status }) => status === "failed");
  return [
    { name: "A crawl", path: `/dashboard/jobs?id=${crawl.id}` },
    { name: "A batch", path: `/dashboard/jobs?id=${batch.id}` },
    { name: "A monitor", path: `/dashboard/monitors?id=${monitor.data?.id}` },
    { name: "A request", path: `/dashboard/requests?id=${String(data[0]?.["id"])}` },
    { name: "A failure", path: `/dashboard/requests?id=${String(failed?.["id"])}` },
    { name: "An answer", path: `/dashboard/response?id=${String(data.find(({ status }) => status === "completed")?.["id"])}` },
  ];
}

async function scrapeSome(team: TestTeam, urls: readonly string[]): Promise<void> {
  for (const url of urls) await team.scrape({ url, formats: ["markdown", "links", "html"] });
  const [first = ""] = urls;
  await team.scrape({ url: first, formats: ["markdown"] });
  await team.scrape({ url: "http://gone.invalid/", timeout: 2000 });
  await team.scrape({ url: `${first}missing`, formats: ["product"] });
}

async function fillKeys(world: World, { teamId }: TestTeam): Promise<void> {
  const restrictions = { endpoints: ["scrape"], requestsPerMinute: 60 };
  await operate(world, `POST teams/${teamId}/keys`, { name: "import of the night", restrictions });
  const { body } = await operate(world, `POST teams/${teamId}/keys`, { name: "revoked" });
  await operate(world, `DELETE keys/${body.keyId}`);
  await operate(world, `POST teams/${teamId}/keys`, { name: "spent", restrictions: { credits: 0 } });
  await operate(world, `PATCH teams/${teamId}`, { limits: { concurrency: 3 } });
}
