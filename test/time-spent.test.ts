import type { ServerResponse } from "node:http";

import { beforeAll, expect, test } from "vitest";

import type { RequestAnswer, RequestEntry } from "../packages/server/src/history/operator/show-request.ts";
import { coveredMs, type Stage } from "../packages/kit/src/stages.ts";
import { docxFile, wordParagraph } from "./office-files.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { writePdf } from "./pdf-writer.ts";
import { htmlPage } from "./site.ts";
import { drawText } from "./text-picture.ts";
import { useWorld } from "./use-world.ts";

/** How long the site takes for each page: what a clock of whole milliseconds misses does not count beside it. */
const SITE_MS = 400;

const world = useWorld(KEYED);
let team: TestTeam;

beforeAll(async () => {
  team = await makeTeam(world);
});

/** A page that comes after a while. */
function slowly(path: string, type: string, body: string | Buffer, status = 200): string {
  return world.site.page(path, (_request, response: ServerResponse) => {
    setTimeout(() => response.writeHead(status, { "content-type": type }).end(body), SITE_MS);
  });
}

const PDF = "BT /F1 12 Tf 72 700 Td (Colonies were measured every nine days.) Tj ET";
const LONG = htmlPage(`<h1>Long</h1>${"<p>Some words to read, again and again.</p>".repeat(9000)}`);

/** Kinds of scrape → their bodies. */
const SCRAPES: Readonly<Record<string, () => Promise<object> | object>> = {
  "a page": () => ({ url: slowly("/page", "text/html", htmlPage("<h1>Page</h1>")) }),
  "a long page, which a thread reads": () => ({ url: slowly("/long", "text/html", LONG) }),
  "a page with a screenshot": () => ({
    url: slowly("/seen", "text/html", htmlPage("<h1>Seen</h1>")),
    formats: ["markdown", "screenshot"],
  }),
  "a page with an action": () => ({
    url: slowly("/wait", "text/html", htmlPage("<h1>Wait</h1>")),
    actions: [{ type: "wait", milliseconds: 300 }],
  }),
  "a PDF": () => ({ url: slowly("/a.pdf", "application/pdf", writePdf({ pages: [{ content: PDF }] })) }),
  "a picture, which OCR reads": async () => {
    const lines = [{ text: "Growth of lichens", x: 40, y: 80 }];
    const picture = drawText({ width: 600, height: 160, lines, fontPx: 40 });
    return { url: slowly("/a.png", "image/png", await picture.png().toBuffer()) };
  },
  "an office document": () => ({
    url: slowly(
      "/a.docx",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      docxFile(wordParagraph("Words of a document.")),
    ),
  }),
  "a CSV": () => ({ url: slowly("/a.csv", "text/csv", "name,price\napron,39\n".repeat(500)) }),
  "a page that answers 403": () => ({ url: slowly("/no", "text/html", "<h1>No</h1>", 403) }),
  "a timeout": () => ({ url: world.site.page("/never", () => undefined), timeout: 1000 }),
  "a connection that breaks": () => ({
    url: world.site.page("/broken", (_request, response) => {
      setTimeout(() => response.destroy(), SITE_MS);
    }),
  }),
  "an action that fails": () => ({
    url: slowly("/button", "text/html", htmlPage("<button>Go</button>")),
    actions: [{ type: "click", selector: "#missing" }],
  }),
  "robots.txt that forbids it": () => {
    slowly("/robots.txt", "text/plain", "User-agent: *\nDisallow: /closed");
    return { url: slowly("/closed", "text/html", htmlPage("<h1>Closed</h1>")), safeMode: true };
  },
};

test.each(Object.entries(SCRAPES))("it is told where the time of %s went", async (_kind, makeBody) => {
  await team.scrape(await makeBody());
  const { body } = await operate(world, "GET requests?limit=1");
  const [newest] = body.data as unknown as readonly RequestEntry[];
  const answer = await operate(world, `GET requests/${newest?.id}`);
  const { request, timings } = answer.body.data as unknown as RequestAnswer["data"];
  const stages: readonly Stage[] = timings.map((stage) => ({ ...stage, startMs: stage.startMs ?? 0 }));
  const missingMs = 0.9 * request.durationMs - coveredMs(stages);
  expect({ missingMs: Math.max(0, missingMs), stages }).toEqual({ missingMs: 0, stages });
});
