import { parseHtml } from "../packages/html/src/parser/parse.ts";
import { selectAll } from "../packages/html/src/selection/selection.ts";
import { serializeHtml } from "../packages/html/src/selection/serialize.ts";
import { selectMainContent } from "../packages/html/src/main-content/select.ts";
import { Random } from "./random.ts";

/** A page that marks its content, and the sentences that stand there. */
interface MarkedPage {
  readonly html: string;
  readonly sentences: readonly string[];
}

const MARKS = [
  ["<main>", "</main>"],
  ["<article>", "</article>"],
  ['<div role="main">', "</div>"],
  ['<div itemprop="articleBody">', "</div>"],
  ['<main id="content"><article class="post">', "</article></main>"],
  ['<main><div class="wrap"><section>', "</section></div></main>"],
] as const;
const CLASSES = ["", "", "", ' class="lead"', ' class="second"', ' class="text-muted small"', ' class="c7"'];
const SUBJECTS =
  "library harbour museum railway garden teacher river council printer orchestra festival bakery compiler theatre".split(
    " ",
  );
const PLACES = "Bern Lisbon Oslo Kyoto Quito Nairobi Perth Turin Malmo Cork Graz Ghent".split(" ");
const VERBS =
  "was printed in;opened near;belongs to;was founded in;moved to;is known in;came from;lies by".split(";");
const PARTS =
  "old maps;stone bridges;printed letters;early trains;small boats;public gardens;brass bells;paper mills;glass roofs;winter markets;night schools;slate quarries;salt ponds;wooden looms".split(
    ";",
  );
const LINKED =
  "catalogue;timetable;Anna Wick;1911;the second volume;archive;old town;opening hours;Form 7;map".split(";");

/** The same page for the same seed: lead, lists, code, tables and figures in any order. */
function makeMarkedPage(seed: number): MarkedPage {
  return new PageMaker(seed).page();
}

/** The sentences that the main content of the page lacks, after the seed. */
export function lostSentences(seed: number): readonly string[] {
  const { html, sentences } = makeMarkedPage(seed);
  const url = "https://town.test/page";
  const text = serializeHtml(selectMainContent(selectAll(parseHtml(html)), url), url).replaceAll(
    /<[^>]*>/gu,
    "",
  );
  return sentences.filter((sentence) => !text.includes(sentence)).map((sentence) => `${seed}: ${sentence}`);
}

class PageMaker {
  readonly #sentences: string[] = [];
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  page(): MarkedPage {
    const [open, close] = this.#random.pick(MARKS);
    const blocks = this.#times(2, 9, () => this.#block());
    const lead = this.#random.share() < 0.5 ? [this.#paragraph()] : [];
    const title =
      this.#random.share() < 0.9
        ? [`<h1>${this.#capital(this.#random.pick(SUBJECTS))} of ${this.#random.pick(PLACES)}</h1>`]
        : [];
    const content = [...title, ...lead, ...blocks].join("\n");
    const html = `<!doctype html><html><head><title>Pages of a town</title></head><body>
<header><a href="/">Town</a><nav><ul><li><a href="/a">News</a></li><li><a href="/b">Visit</a></li></ul></nav></header>
${open}${content}${close}
<footer><p>Town hall, <a href="/imprint">imprint</a>, <a href="/privacy">privacy</a></p></footer></body></html>`;
    return { html, sentences: this.#sentences };
  }

  #block(): string {
    const kind = this.#random.share();
    if (kind < 0.55) return this.#paragraph();
    if (kind < 0.62) return `<h2>${this.#capital(this.#random.pick(PARTS))}</h2>${this.#paragraph()}`;
    if (kind < 0.72) return `<ul>${this.#times(2, 5, () => `<li>${this.#item()}</li>`).join("")}</ul>`;
    if (kind < 0.8) return `<pre><code>open --year ${this.#number(1800, 2000)}\nclose()</code></pre>`;
    if (kind < 0.9) return `<table>${this.#times(2, 5, () => this.#row()).join("")}</table>`;
    return `<figure><img src="/${this.#number(1, 99)}.jpg" alt=""><figcaption>${this.#sentence(0)}</figcaption></figure>`;
  }

  #paragraph(): string {
    const links = this.#random.share() < 0.4 ? 0 : this.#number(1, 8);
    const count = this.#random.share() < 0.6 ? 1 : this.#number(2, 4);
    const sentences = Array.from({ length: count }, (_, at) => this.#sentence(at === 0 ? links : 0));
    const html = `<p${this.#random.pick(CLASSES)}>${sentences.join(" ")}</p>`;
    return this.#random.isOneOf(8) ? `<div class="block">${html}</div>` : html;
  }

  #item(): string {
    return this.#random.share() < 0.5
      ? this.#sentence(this.#number(0, 2))
      : `${this.#random.pick(PARTS)} ${this.#number(2, 400)}`;
  }

  #row(): string {
    return `<tr><td>${this.#random.pick(PLACES)}</td><td>${this.#number(1, 9000)}</td></tr>`;
  }

  /** A sentence with some links: with many it is hardly more than these. */
  #sentence(links: number): string {
    const linked = Array.from({ length: links }, () => this.#link());
    const first =
      this.#random.share() < 0.5 ? `The ${this.#random.pick(SUBJECTS)}` : (linked.shift() ?? "It");
    const last = linked.pop();
    const end = linked.length > 0 ? `${linked.join(", ")} and ${last}` : (last ?? this.#random.pick(PLACES));
    const tail =
      this.#random.share() < 0.4 ? ` with ${this.#random.pick(PARTS)} and ${this.#random.pick(PARTS)}` : "";
    const html = `${first} ${this.#random.pick(VERBS)} ${end}${tail}.`;
    this.#sentences.push(html.replaceAll(/<[^>]*>/gu, ""));
    return html;
  }

  #link(): string {
    return `<a href="/${this.#number(1, 999)}">${this.#random.pick(LINKED)}</a>`;
  }

  #times<Value>(least: number, most: number, make: () => Value): Value[] {
    return Array.from({ length: this.#number(least, most) }, make);
  }

  #capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  #number(least: number, most: number): number {
    return least + this.#random.below(most - least + 1);
  }
}
