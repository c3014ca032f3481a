import { fileURLToPath } from "node:url";

import type { Page } from "playwright-core";
import sharp from "sharp";

import { makeTeam, type TestTeam } from "../operator.ts";
import { textPage, writePdf } from "../pdf-writer.ts";
import { htmlPage, type Site } from "../site.ts";
import { openDesk, settle } from "./pages.ts";

const PICTURES = new URL("../../docs/pictures/", import.meta.url);

/** A page that waits for longer than its request does. */
const SHORT_MS = 1200;

/** Everything that an operator sees on a usual day: pages, a document, repeats from the cache, and what goes wrong. */
async function work(team: TestTeam, site: Site): Promise<void> {
  const article = (name: string) =>
    htmlPage(`<main><h1>${name}</h1><p>${`What is known of ${name}, told in full. `.repeat(12)}</p></main>`);
  const names = ["harbour", "lighthouse", "slate roofs", "linen apron", "lichens", "basalt"];
  const urls = names.map((name) => site.page(`/${name.replaceAll(" ", "-")}`, article(name)));
  for (const url of [...urls, ...urls.slice(0, 3)]) await team.scrape({ url });
  const drawn = `<div id="root"></div><script>
    document.getElementById("root").innerHTML = "<h1>Prices of today</h1>";</script>`;
  await team.scrape({ url: site.page("/prices", htmlPage(drawn)) });
  const never = site.page("/election-live", () => undefined);
  await team.scrape({ url: never, timeout: SHORT_MS });
  const refuse = site.page(
    "/basket",
    (_request, response) => void response.writeHead(403).end("<h1>No</h1>"),
  );
  await team.scrape({ url: refuse });
  const pages = ["Growth of lichens on basalt", "Sites and methods"].map((title) => textPage(title));
  const report = site.page("/report.pdf", (_request, response) => {
    response.setHeader("content-type", "application/pdf").end(writePdf({ pages }));
  });
  await team.scrape({ url: report });
}

async function take(page: Page, name: string): Promise<void> {
  const taken = await page.screenshot({ animations: "disabled", caret: "hide" });
  const file = fileURLToPath(new URL(`${name}.png`, PICTURES));
  await sharp(taken).png({ compressionLevel: 9, effort: 10 }).toFile(file);
}

/** Draws the picture of the README from a service that has just worked. */
const desk = await openDesk();
try {
  const team = await makeTeam(desk.world, { name: "Research", credits: 1000 });
  await work(team, desk.world.site);
  const { page } = await desk.visit("/dashboard/requests");
  await page.getByRole("link", { name: /\/prices$/ }).click();
  await page.locator(".drawer .kv").waitFor();
  await settle(page);
  await take(page, "readme-request");
} finally {
  await desk.close();
}
process.exit();
