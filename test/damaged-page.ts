import MarkdownIt from "markdown-it";

import { baseUrlOf } from "../packages/html/src/selection/base-url.ts";
import { collectImages } from "../packages/html/src/selection/images.ts";
import { collectLinks } from "../packages/html/src/selection/links.ts";
import { extractMetadata } from "../packages/html/src/selection/metadata.ts";
import { decodeBody } from "../packages/html/src/parser/decode.ts";
import { parseHtml } from "../packages/html/src/parser/parse.ts";
import { selectAll } from "../packages/html/src/selection/selection.ts";
import { serializeHtml } from "../packages/html/src/selection/serialize.ts";
import { selectMainContent } from "../packages/html/src/main-content/select.ts";
import { toMarkdown } from "../packages/html/src/markdown/convert.ts";

const URL_OF_PAGE = "https://example.test/dir/page";

/** A page with some of everything. */
export const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><base href="/x/">
<meta property="og:image" content="/og.png"><script>var a = "</p>";</script></head><body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/b">B</a></li></ul></nav></header>
<main><article><h1>Title <a href="#t">#</a></h1><p>By <span>Ann</span><time>Mar 3</time></p>
<p>Text with <b>bold</b>, <i>italic</i>, <del>struck</del>, <code>a*b</code> and <a href="/c" title="T">a link</a>.<br>
H<sub>2</sub>O, 10<sup>6</sup>, note<sup><a href="#fn1">1</a></sup>, 國土\n資源, שלום, 👩‍💻, *stars*, _lines_, &amp;amp;</p>
<ol start="3"><li>three<ul><li>nested<pre>x\ny</pre></li></ul></li><li value="9"><p>nine</p><p>more</p></li></ol>
<table><caption>Cap</caption><thead><tr><th>A</th><th>B|C</th></tr></thead><tbody><tr><td colspan="2">1<br>2</td></tr>
<tr><td rowspan="2">3</td><td><ul><li>x</li></ul></td></tr></tbody></table>
<blockquote><p>quote</p><blockquote>deeper</blockquote></blockquote><dl><dt>T</dt><dd>D</dd></dl>
<pre class="language-js"><code><span class="line">let a;</span><span class="line">a();</span></code></pre>
<figure><picture><source srcset="b.webp 900w, c.webp 2x"><img src="data:image/gif;base64,R0" data-src="a.jpg" alt="An [image]"></picture>
<noscript><img src="d.jpg"></noscript><figcaption>Caption</figcaption></figure><math display="block" alttext="x^2"><mi>x</mi></math>
<details><summary>More</summary><iframe src="https://v.test/embed/1"></iframe></details><hr><svg><title>t</title></svg></article></main>
<aside hidden>Ad</aside><footer style="display:none"><form><input type="checkbox"><button>Go</button></form></footer></body></html>`;

/** What servers say a page is. */
export const TYPES = [
  undefined,
  "text/html",
  ..."utf-8 utf-16le utf-16be gbk shift_jis euc-kr iso-8859-1 iso-2022-jp windows-1256 utf-7 bogus"
    .split(" ")
    .map((charset) => `text/html; charset=${charset}`),
];

const PIECES =
  `<|</|<!--|-->|<table>|</table>|<tr>|<td colspan=9999 rowspan=9999>|<pre>|</pre>|<code>|<a href='|"|'|>|<b>|</b>|<ul><li>|</ul>|<svg>|<math>|<template>|<select>|<textarea>|<title>|<script>|</script>|&#0;|&#x110000;|&|\0|\u200d|\u202e|<![CDATA[|<noscript>|<iframe>|<plaintext>|<base href='http://['>|*|_|\`|~~|\\|[|](|![|<sup>2|<img srcset=',,,'>|<ol start=-5>|<h1>|<blockquote>|<p hidden>|\r\n`.split(
    "|",
  );

/** Damages a page at random; the same way for the same seed. */
class Damage {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1;
  }

  /** One of the ways in which pages break on their way, several times. */
  apply(page: Uint8Array): Uint8Array {
    let damaged: Buffer = Buffer.from(page);
    for (let times = 1 + this.#number(6); times > 0; times--) damaged = this.#once(damaged);
    return damaged;
  }

  type(): string | undefined {
    return TYPES[this.#number(TYPES.length)];
  }

  #once(page: Buffer): Buffer {
    const from = this.#number(page.length + 1);
    const to = Math.min(page.length, from + this.#number(300));
    const part = page.subarray(from, to);
    const before = page.subarray(0, from);
    const piece = Buffer.from(PIECES[this.#number(PIECES.length)] ?? "");
    const ways: (() => Buffer)[] = [
      () => before,
      () => page.subarray(from),
      () => Buffer.concat([before, page.subarray(to)]),
      () =>
        Buffer.concat([
          before,
          ...Array.from({ length: 1 + this.#number(20) }, () => part),
          page.subarray(to),
        ]),
      () => Buffer.concat([before, Buffer.from(part).reverse(), page.subarray(to)]),
      () => Buffer.concat([before, Buffer.from(part.map(() => this.#number(256))), page.subarray(to)]),
      () =>
        Buffer.concat([
          before,
          ...Array.from({ length: 1 + this.#number(40) }, () => piece),
          page.subarray(from),
        ]),
      () => Buffer.concat([before, piece, page.subarray(from)]),
    ];
    return ways[this.#number(ways.length)]?.() ?? page;
  }

  /** A whole number below `limit`. */
  #number(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
    return (this.#state >>> 8) % limit;
  }
}

/**
 * What is wrong with what comes of the page when it is damaged, in words; the same for the same seed.
 * @throws what reading it throws, which nothing may.
 */
export function findFlaws(seed: number): readonly string[] {
  const damage = new Damage(seed);
  const body = damage.apply(Buffer.from(PAGE));
  const { whole, main } = turn(body, damage.type());
  const flaws = [...flawsOf(whole), ...flawsOf(main)];
  if (/^\n|\n$|\r/.test(whole)) flaws.push("line breaks at an end");
  return flaws.map((flaw) => `seed ${seed}: ${flaw}`);
}

/** Everything a page is turned into. */
export function turn(body: Uint8Array, contentType: string | undefined): { whole: string; main: string } {
  const tree = parseHtml(decodeBody(body, contentType));
  const whole = selectAll(tree);
  const main = selectMainContent(whole, URL_OF_PAGE);
  const base = baseUrlOf(tree, URL_OF_PAGE);
  serializeHtml(main, base);
  collectLinks(whole, base);
  collectImages(whole, base);
  extractMetadata(tree, URL_OF_PAGE);
  return { whole: toMarkdown(whole, base), main: toMarkdown(main, base) };
}

/** What Markdown must not hold: tags of HTML, and links around nothing. */
function flawsOf(markdown: string): string[] {
  const parser = new MarkdownIt({ html: true });
  parser.validateLink = () => true;
  const tokens = parser.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  const tags = tokens.filter((token) => token.type.startsWith("html_") && token.content !== "<br>");
  const links = tokens.filter(
    (token, at) => token.type === "link_close" && tokens[at - 1]?.type === "link_open",
  );
  return [...tags, ...links].map((token) => token.content || token.type);
}
