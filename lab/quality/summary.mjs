import { join } from "node:path";

import { openSite, pageOfExtraction, readJson, scrapePage } from "./labelled-pages.mjs";

/** A description that was written for its page: long enough, not cut off. */
const SHORTEST_DESCRIPTION = 60;
const CUT_OFF = /(?:…|\.\.\.)$/;
/** One whose beginning stands in the text was not written, but taken from it. */
const BEGINNING = 40;
const LEAD_SENTENCES = 3;
const DESCRIPTION =
  /<meta\b[^>]{0,200}\b(?:name|property|itemprop)=["']?(?:og:|twitter:)?description\b[^>]{0,2000}>/gi;

/**
 * Summaries of labelled articles beside the descriptions that their authors wrote for them, by ROUGE-1: the F1 of their
 * words. The pages are shown without these descriptions.
 * @param {string} scrape address of `POST /v2/scrape`
 * @param {string} extraction folder of labelled pages
 */
export async function scoreSummaries(scrape, extraction) {
  const site = await openSite();
  const ours = [];
  const lead = [];
  let articles = 0;
  let empty = 0;
  try {
    for (const { id, type, tags } of readJson(join(extraction, "data/dev/index.json"))) {
      // Words of Chinese, Japanese and Thai are not parted by spaces: no words to compare.
      if (type !== "article" || tags.includes("cjk")) continue;
      const page = pageOfExtraction(id, extraction);
      const text = readJson(join(extraction, "data/dev/truth", `${id}.json`)).text ?? "";
      const written = descriptionOf(page.html);
      const shown = { ...page, html: withoutDescriptions(page.html) };
      const { summary = "" } = await scrapePage(scrape, site, shown, { formats: ["summary"] });
      articles += 1;
      if (summary === "" && text.trim() !== "") empty += 1;
      if (!isWritten(written, text)) continue;
      ours.push(rouge1(summary, written));
      lead.push(rouge1(sentencesOf(text).slice(0, LEAD_SENTENCES).join(" "), written));
    }
  } finally {
    site.close();
  }
  print(`descriptions               ${ours.length}, of ${articles} articles`);
  print(`ROUGE-1 of summaries       ${mean(ours).toFixed(3)}`);
  print(`  of the first sentences   ${mean(lead).toFixed(3)}`);
  print(`empty on a page with text  ${empty}`);
}

function descriptionOf(html) {
  const tags = html.match(DESCRIPTION) ?? [];
  const contents = tags.map((tag) => /\bcontent=(?:"([^"]*)"|'([^']*)')/i.exec(tag));
  return plain(contents.map((found) => found?.[1] ?? found?.[2] ?? "").find(Boolean) ?? "");
}

/** Also without those in structured data. */
function withoutDescriptions(html) {
  return html
    .replaceAll(DESCRIPTION, "")
    .replaceAll(
      /"(?:description|abstract|headline|alternativeHeadline)"\s*:\s*"(?:[^"\\]|\\.){0,5000}"/g,
      '"x":""',
    );
}

function isWritten(description, text) {
  const inText = plain(text).toLowerCase();
  const beginning = description.slice(0, BEGINNING).toLowerCase();
  return (
    description.length >= SHORTEST_DESCRIPTION && !CUT_OFF.test(description) && !inText.includes(beginning)
  );
}

function plain(text) {
  const entities = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">", nbsp: " " };
  return text
    .replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    })
    .replaceAll(/\s+/g, " ")
    .trim();
}

function sentencesOf(text) {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean);
}

/** F1 of the words of two texts, each counted as often as both have it. */
function rouge1(text, reference) {
  const [own, wanted] = [wordsOf(text), wordsOf(reference)];
  const open = new Map();
  for (const word of wanted) open.set(word, (open.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of own) {
    const left = open.get(word) ?? 0;
    if (left === 0) continue;
    open.set(word, left - 1);
    both += 1;
  }
  return both === 0 ? 0 : (2 * both) / (own.length + wanted.length);
}

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
