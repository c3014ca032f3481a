import { join } from "node:path";

import { openSite, pageOfExtraction, readJson, scrapePage, unpack } from "./labelled-pages.mjs";

/** How a page may name the language of its code in a class or an attribute. */
const NAMED =
  /(?:class="[^"]{0,200}\b(?:language|lang|highlight-source|brush:)[-\s]?[a-z][\w+#-]{0,20}|data-lang(?:uage)?=)/i;
const NONE = /\b(?:language|lang)-(?:none|text|plaintext|txt|plain)\b/i;

/**
 * Facts that readers of the Markdown would miss: prices that product pages show, and the language of code.
 * @param {string} scrape address of `POST /v2/scrape`
 * @param {{ product: string, extraction: string }} folders labelled pages of both kinds
 */
export async function scoreFacts(scrape, folders) {
  const site = await openSite();
  const markdownOf = async (page, options) => (await scrapePage(scrape, site, page, options)).markdown ?? "";
  try {
    await scorePrices(folders, markdownOf);
    await scoreFences(folders, markdownOf);
  } finally {
    site.close();
  }
}

/** Of the product pages whose labelled price is visible: how many keep it in their main content. */
async function scorePrices({ product, extraction }, markdownOf) {
  let visible = 0;
  let kept = 0;
  for (const row of readJson(join(product, "data/index.json"))) {
    if (!row.product || !row.truth.price?.length) continue;
    const page = pageOfRow(row, product, extraction);
    if (!showsPrice(await markdownOf(page, { onlyMainContent: false }), row.truth.price)) continue;
    visible += 1;
    if (showsPrice(await markdownOf(page, {}), row.truth.price)) kept += 1;
  }
  print(`visible prices kept        ${kept} of ${visible} (${(kept / visible).toFixed(3)})`);
}

/** Of the fences that code-heavy pages lead to: how many have a language, and how many on pages that name one. */
async function scoreFences({ extraction }, markdownOf) {
  const rows = readJson(join(extraction, "data/dev/index.json")).filter(({ tags }) =>
    tags.includes("code-heavy"),
  );
  const all = { fences: 0, told: 0 };
  const naming = { fences: 0, told: 0 };
  for (const { id } of rows) {
    const page = pageOfExtraction(id, extraction);
    const found = countFences(await markdownOf(page, {}));
    const doesName = [...page.html.matchAll(new RegExp(NAMED, "gi"))].some(([match]) => !NONE.test(match));
    for (const sum of doesName ? [all, naming] : [all]) {
      sum.fences += found.fences;
      sum.told += found.told;
    }
  }
  print(`fences with a language     ${share(all)}`);
  print(`  on pages that name one   ${share(naming)}`);
}

function share({ told, fences }) {
  return `${told} of ${fences} (${(told / Math.max(1, fences)).toFixed(3)})`;
}

function countFences(markdown) {
  let fences = 0;
  let told = 0;
  let open = "";
  for (const line of markdown.split("\n")) {
    const [, marks, language] = /^[\s>-]{0,20}(`{3,})([\w+#.-]*)\s*$/.exec(line) ?? [];
    if (marks === undefined) continue;
    if (open !== "") {
      if (language === "" && marks.length >= open.length) open = "";
      continue;
    }
    open = marks;
    fences += 1;
    if (language !== "") told += 1;
  }
  return { fences, told };
}

/** Whether one of the amounts stands in the text, with any sign between thousands and before cents. */
function showsPrice(markdown, amounts) {
  const text = markdown.replaceAll("\\", "");
  return amounts.some((amount) => patternOf(amount).test(text));
}

function patternOf(amount) {
  const whole = Math.floor(amount);
  const cents = String(Math.round((amount - whole) * 100)).padStart(2, "0");
  const digits = String(whole).replace(/\B(?=(\d{3})+$)/g, "[.,'\\s\u00a0\u2009\u202f]?");
  const rest = cents === "00" ? "(?:[.,]\\s?(?:00|-))?(?!\\d|[.,]\\d)" : `[.,\\s]{0,2}${cents}(?!\\d)`;
  return new RegExp(`(?<![\\d.,])${digits}${rest}`);
}

function pageOfRow(row, product, extraction) {
  if (row.from === "extraction") return pageOfExtraction(row.id, extraction);
  return { url: row.url, html: unpack(join(product, "data/html", `${row.id}.html.gz`)) };
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
