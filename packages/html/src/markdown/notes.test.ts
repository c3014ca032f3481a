import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { selectMainContent } from "../main-content/select.ts";
import { toMarkdown } from "./convert.ts";

const markdown = (html: string): string => toMarkdown(selectAll(parseHtml(html)), "https://shop.test/");

describe("notes", () => {
  test.each([
    [
      "a list with the roles of the standard",
      '<p>Lead.<span class="footnote-reference" role="doc-noteref" id="fra"><sup><a href="#fa">[1]</a></sup></span> On.</p><ol role="doc-endnotes"><li role="doc-endnote" id="fa"><span class="footnote-back-link"><sup><strong><a href="#fra">^</a></strong></sup></span><div><p>Sold by weight.</p></div></li></ol>',
      "Lead.[^1] On.\n\n[^1]: Sold by weight.",
    ],
    [
      "a list with arrows back, in another language",
      '<p>Ein Satz<sup id="fnref:1"><a href="#fn:1" class="footnote-ref">1</a></sup> und mehr<sup id="fnref:2"><a href="#fn:2">2</a></sup>.</p><div class="footnotes"><hr><ol><li id="fn:1"><p>Erste Anmerkung. <a href="#fnref:1" class="footnote-backref">↩︎</a></p></li><li id="fn:2"><p>Zweite.</p><p>Weiter. <a href="#fnref:2">↩</a></p></li></ol></div>',
      "Ein Satz[^1] und mehr[^2].\n\n---\n\n[^1]: Erste Anmerkung.\n\n[^2]: Zweite.\n\n    Weiter.",
    ],
    [
      "an encyclopedia with several marks of one note",
      '<p>A<sup id="c-0" class="reference"><a href="#n-1">[1]</a></sup> B<sup id="c-1" class="reference"><a href="#n-1">[1]</a></sup></p><ol class="references"><li id="n-1"><span class="mw-cite-backlink">^ <a href="#c-0"><sup>a</sup></a> <a href="#c-1"><sup>b</sup></a></span> <span class="reference-text">Vik, <i>Locks</i>.</span></li></ol>',
      "A[^1] B[^1]\n\n[^1]: Vik, _Locks_.",
    ],
    [
      "a paragraph that begins with its mark",
      '<p>Third<sup><a href="#n1">1</a></sup> lock.</p><p id="n1">1. Counted from the sea.</p>',
      "Third[^1] lock.\n\n[^1]: Counted from the sea.",
    ],
    [
      "an anchor before the text",
      '<p>Third<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a> lock.</p><div><p><a href="#_ftnref1" name="_ftn1">[1]</a> Counted <b>from</b> the sea.</p></div>',
      "Third[^1] lock.\n\n[^1]: Counted **from** the sea.",
    ],
    [
      "terms and their notes",
      '<p>Third<a class="footnote-reference" href="#id2" id="id1">1</a>.</p><dl class="footnote"><dt class="label" id="id2"><span><a href="#id1">1</a></span></dt><dd><p>From the sea.</p></dd></dl>',
      "Third[^1].\n\n[^1]: From the sea.",
    ],
    [
      "headings that hold the mark",
      '<p>Third<a id="DOCF1" href="#FOOT1"><sup>1</sup></a>.</p><div class="footnotes-segment"><h5><a id="FOOT1" href="#DOCF1">(1)</a></h5><p>From the sea.</p></div>',
      "Third[^1].\n\n[^1]: From the sea.",
    ],
    [
      "marks that scripts follow",
      `<p>Third<sup class="footnoteref"><a id="footnoteref-1" href="javascript:;" onclick="go('footnote-1')">1</a></sup>.</p><div class="footnotes-footer"><div id="footnote-1"><a href="javascript:;" onclick="go('footnoteref-1')">1</a>. From the sea.</div></div>`,
      "Third[^1].\n\n[^1]: From the sea.",
    ],
    [
      "a note in the middle of its sentence",
      '<p>set in lead.<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">2</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">2</sup><span class="ltx_tag">2</span>The rails were sold.</span></span></span> Then came rain.</p>',
      "set in lead.[^2] Then came rain.\n\n[^2]: The rails were sold.",
    ],
    [
      "a note beside the text after its mark",
      '<p>village<sup>[1]</sup><span class="sidenote">1. The rails were sold by weight</span> and set in lead.</p>',
      "village[^1] and set in lead.\n\n[^1]: The rails were sold by weight",
    ],
    [
      "a note that a sign of its own opens",
      '<p>Rails<label for="mn" class="margin-toggle">&#8853;</label><input type="checkbox" id="mn"/><span class="marginnote">Nach Gewicht wurden sie verkauft.</span> und mehr.</p>',
      "Rails[^1] und mehr.\n\n[^1]: Nach Gewicht wurden sie verkauft.",
    ],
    [
      "an aside whose numbers stand raised",
      '<div><p>set in lead.<sup>3</sup></p><aside><ol start="3"><li>Sold by weight.</li></ol></aside></div>',
      "set in lead.[^3]\n\n[^3]: Sold by weight.",
    ],
    [
      "a list of notes whose numbers stand raised, without links",
      '<p>set in lead.<span id="r1"> <sup>1</sup></span></p><section class="endnotes"><ol><li id="e1"><p>Sold by weight.</p></li></ol></section>',
      "set in lead. [^1]\n\n[^1]: Sold by weight.",
    ],
    [
      "a note that its mark opens, inside the mark",
      '<p>set in lead.<span class="inline-footnote" title="Sold">1<span style="display:none">Sold by weight then.</span></span></p>',
      "set in lead.[^1]\n\n[^1]: Sold by weight then.",
    ],
    [
      "a note beside the text that stands below it, too",
      '<p>set in lead<sup><a href="#n1">1</a></sup><span class="sidenote">1. Sold by weight</span>.</p><div class="footnotes"><p id="n1">1. Sold by weight</p></div>',
      "set in lead[^1].\n\n[^1]: Sold by weight",
    ],
    [
      "signs, which are numbered",
      '<p>A<sup><a href="#x">*</a></sup></p><p class="footnote" id="x">* Since 1903.</p>',
      "A[^1]\n\n[^1]: Since 1903.",
    ],
    [
      "notes that refer to each other",
      '<p>A<sup><a href="#a">1</a></sup></p><ol class="footnotes"><li id="a">See<sup><a href="#b">2</a></sup></li><li id="b">See<sup><a href="#a">1</a></sup></li></ol>',
      "A[^1]\n\n[^1]: See[^2]\n\n[^2]: See[^1]",
    ],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test.each([
    ["a power", "<p>x<sup>2</sup></p><aside><p>2 Boats</p></aside>"],
    ["a link to a section", '<p>See <a href="#s2">2</a></p><h2 id="s2">Part</h2><p>Text</p>'],
    ["a mark without a note", '<p>A<sup><a href="#gone">1</a></sup></p>'],
  ])("%s is no mark", (_, html) => {
    expect(markdown(html)).not.toContain("[^");
  });

  const prose =
    "<p>Boats wait below the weir until the lamp turns green, and are roped to the third bollard.</p>";

  test.each([
    [
      "in the foot",
      (notes: string) => `<main><article><h1>T</h1>PROSE</article></main><footer>${notes}</footer>`,
    ],
    ["in an aside", (notes: string) => `<main><h1>T</h1>PROSE<aside>${notes}</aside></main>`],
    [
      "in a box with a name of furniture",
      (notes: string) => `<div><h1>T</h1>PROSE</div><div class="sidebar">${notes}</div>`,
    ],
  ])("%s stay with the text of their marks", (_, page) => {
    const notes = '<ol class="notes"><li id="n1"><a href="/p">Prices</a></li><li id="n2">Who pays?</li></ol>';
    const marks =
      '<p>The hinges are set in lead.<sup><a href="#n1">1</a></sup> The rack is greased.<sup><a href="#n2">2</a></sup></p>';
    const tree = parseHtml(page(notes).replace("PROSE", prose.repeat(6) + marks));
    const text = toMarkdown(selectMainContent(selectAll(tree), "https://shop.test/"), "https://shop.test/");
    expect(text).toMatch(/lead\.\[\^1\] The rack is greased\.\[\^2\]/);
    expect(text).toMatch(/^\[\^1\]: \[Prices\]\(https:\/\/shop\.test\/p\)\n\n\[\^2\]: Who pays\?$/m);
  });

  test.each([
    ["10,000 marks of one note", `${'<sup><a href="#a">1</a></sup>'.repeat(10_000)}<p id="a">1. Note</p>`],
    [
      "10,000 notes inside each other",
      `<sup><a href="#a9">1</a></sup>${Array.from({ length: 10_000 }, (__, at) => `<div class="footnote" id="a${at}"><sup><a href="#a${at + 1}">1</a></sup>`).join("")}`,
    ],
    ["10,000 asides and marks", "<sup>1</sup><aside><ol><li>Note</li></ol></aside>".repeat(10_000)],
  ])("%s are read in time", (_, html) => {
    const started = process.cpuUsage();
    expect(markdown(html)).toContain("1");
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});
