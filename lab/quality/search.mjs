import { join } from "node:path";

import { openSite, pageOfExtraction, readJson, scrapePage } from "./labelled-pages.mjs";

const PAGES = 1000;
/** The longest query that the interface takes. */
const MAX_QUERY_LENGTH = 500;
/** Sentences that say enough to be found by, in words. */
const WORDS = { fewest: 6, most: 40 };

/**
 * The search of stored pages: how often the right page is the first result, for the titles of labelled pages and for a
 * sentence from the middle of each text. Pages that share their title, or the sentence, count alike.
 * @param {string} scrape address of `POST /v2/scrape`
 * @param {string} extraction folder of labelled pages
 */
export async function scoreSearch(scrape, extraction) {
  const search = scrape.replace(/scrape$/, "search");
  const pages = await storePages(scrape, extraction);
  const byTitle = await shareFound(pages, ({ title }) => title, { search, pages, field: "title" });
  const bySentence = await shareFound(pages, ({ sentence }) => sentence, {
    search,
    pages,
    field: "text",
  });
  print(`pages                      ${pages.length}`);
  print(`first by title             ${line(byTitle)}`);
  print(`first by sentence          ${line(bySentence)}`);
}

async function storePages(scrape, extraction) {
  const site = await openSite();
  const pages = [];
  try {
    for (const { id } of readJson(join(extraction, "data/dev/index.json")).slice(0, PAGES)) {
      const { html } = pageOfExtraction(id, extraction);
      const { text = "", lang } = readJson(join(extraction, "data/dev/truth", `${id}.json`));
      const page = { url: `https://site.test/${encodeURIComponent(id)}`, html };
      const data = await scrapePage(scrape, site, page, { storeInCache: true, onlyMainContent: true });
      const { title = "", url } = data.metadata;
      pages.push({
        url,
        title: spaced(title),
        text: spaced(text ?? ""),
        sentence: middleOf(text ?? "", lang),
      });
    }
  } finally {
    site.close();
  }
  return pages;
}

/** Of the pages that have a query: how many are found first, and which are not. */
async function shareFound(pages, queryOf, { search, pages: all, field }) {
  const byUrl = new Map(all.map((page) => [page.url, page]));
  const misses = [];
  let asked = 0;
  for (const page of pages) {
    const query = queryOf(page).slice(0, MAX_QUERY_LENGTH).trim();
    if (query === "") continue;
    asked += 1;
    const first = byUrl.get(await firstResult(search, query));
    const isRight =
      first &&
      (first === page ||
        (field === "title" ? first.title === page.title : first.text.includes(page.sentence)));
    if (!isRight) misses.push({ query, wanted: page.url, first: first?.url });
  }
  return { asked, misses };
}

async function firstResult(search, query) {
  const headers = { "content-type": "application/json", authorization: "Bearer fc-test" };
  const reply = await fetch(search, { method: "POST", headers, body: JSON.stringify({ query, limit: 1 }) });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`${reply.status} ${answer.error}`);
  return answer.data.web[0]?.url;
}

/** The first sentence from the middle of a text on that says enough; "" when there is none. */
function middleOf(text, language) {
  const sentences = [...new Intl.Segmenter(language ?? "en", { granularity: "sentence" }).segment(text)];
  const middle = Math.floor(sentences.length / 2);
  const words = new Intl.Segmenter(language ?? "en", { granularity: "word" });
  const isTelling = ({ segment }) => {
    const count = [...words.segment(segment)].filter(({ isWordLike }) => isWordLike).length;
    return count >= WORDS.fewest && count <= WORDS.most;
  };
  const chosen = [...sentences.slice(middle), ...sentences.slice(0, middle).toReversed()].find(isTelling);
  return spaced(chosen?.segment ?? "");
}

function spaced(text) {
  return text.replace(/\s+/g, " ").trim();
}

function line({ asked, misses }) {
  if (process.env.MISSES) for (const miss of misses) print(`  ${JSON.stringify(miss)}`);
  return `${((asked - misses.length) / asked).toFixed(3)} (${asked - misses.length} of ${asked})`;
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
