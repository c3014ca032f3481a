import { expect, test } from "vitest";

import { lazy } from "@pergamon-dev/kit/lazy";
import { kindNamed } from "./all.ts";
import { detectFile } from "./detect.ts";
import type { DocumentTools } from "./document-tools.ts";
import type { FileParts, FileSource } from "./kind.ts";
import { completeParts } from "./parts.ts";

async function read(body: string, contentType: string): Promise<FileParts> {
  const url = "https://press.test/articles/7.xml";
  const bytes = Buffer.from(body);
  const { kind, mimeType } = await detectFile(bytes, contentType, url);
  const options = {
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    removesConsent: true,
    parsers: [],
    languages: [],
  };
  const source: FileSource = { body: bytes, contentType, url, mimeType, options };
  const stage = <Value>(_name: string, compute: () => Value) => lazy(compute);
  const { signal } = new AbortController();
  return completeParts(
    await kindNamed(kind).read(source, { stage, signal, documents: {} as DocumentTools }),
    source,
  );
}

/** Labels of sections, marks of references by number, MathML with a prefix, and blocks within paragraphs. */
const NUMBERED = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2 20190208//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML" article-type="research-article" xml:lang="en">
<front><journal-meta><journal-title-group><journal-title>Harbour Science</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.5555/hs.7</article-id>
<title-group><article-title>Tides &amp; <italic>Zostera</italic> beds</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Berg</surname><given-names>Ada</given-names></name><xref ref-type="aff" rid="a1">1</xref></contrib>
<contrib contrib-type="author"><name><surname>Lind</surname><given-names>Bo</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Chief</surname><given-names>Ed</given-names></name></contrib></contrib-group>
<aff id="a1"><label>1</label> Institute of the Coast</aff>
<pub-date pub-type="epub"><day>4</day><month>3</month><year>2024</year></pub-date><volume>12</volume><issue>3</issue><fpage>45</fpage><lpage>51</lpage>
<abstract><p>Eelgrass grows where &alpha; is small.</p></abstract>
<kwd-group><kwd>eelgrass</kwd><kwd>tides</kwd></kwd-group></article-meta></front>
<body><sec id="s1"><label>1.</label><title>Methods</title>
<p>We counted shoots<xref ref-type="bibr" rid="r1">1</xref> in two ways:<list list-type="order"><list-item><p>by hand</p></list-item><list-item><p>by camera</p></list-item></list>as <xref ref-type="table" rid="t1">Table 1</xref> shows.</p>
<sec><label>1.1</label><title>Model</title><p>The rate is <inline-formula><mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math></inline-formula>, so</p>
<disp-formula id="e1"><label>(1)</label><mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac></mml:math></disp-formula></sec>
<table-wrap id="t1"><label>Table 1.</label><caption><title>Shoots.</title><p>By site.</p></caption><table><thead><tr><th>Site</th><th>Shoots</th></tr></thead><tbody><tr><td>North</td><td>12</td></tr></tbody></table><table-wrap-foot><p>Counted in May.</p></table-wrap-foot></table-wrap>
<fig id="f1"><label>Figure 1.</label><caption><p>The north bed.</p></caption><graphic xlink:href="hs-7-g1"/></fig></sec></body>
<back><ack><p>We thank the divers.</p></ack>
<ref-list><ref id="r1"><label>1.</label><element-citation publication-type="journal"><person-group person-group-type="author"><name><surname>Moe</surname><given-names>C</given-names></name></person-group><article-title>Counting grass</article-title><source>Reef</source><year>2019</year><volume>4</volume><fpage>1</fpage><lpage>9</lpage><pub-id pub-id-type="doi">10.5555/reef.4</pub-id></element-citation></ref></ref-list></back>
</article>`;

/** Without a declaration: titles without labels, references by author, TeX, notes and a response. */
const AUTHORED = `<article><front><article-meta><title-group><article-title>On ferries</article-title><subtitle>A study</subtitle></title-group>
<contrib-group><contrib><string-name>Dag Ek</string-name></contrib><contrib><collab>Harbour Group</collab></contrib></contrib-group>
<pub-date date-type="pub"><year>2023</year></pub-date></article-meta></front>
<body><p>Ferries are late (<xref ref-type="bibr" rid="B1">Moe, 2019</xref>).<xref ref-type="fn" rid="n1"><sup>a</sup></xref></p>
<sec><title>Costs</title><p>Waiting costs <inline-formula><alternatives><tex-math>\\documentclass{minimal}\\begin{document}$$c_i$$\\end{document}</tex-math><graphic xlink:href="x.gif"/></alternatives></inline-formula> a day, see <ext-link xlink:href="https://ferry.test/">the list</ext-link>.</p>
<list list-type="bullet"><list-item><p>fuel</p></list-item><list-item><p>crew</p></list-item></list>
<disp-quote><p>Late again.</p><attrib>A traveller</attrib></disp-quote>
<def-list><def-item><term>ETA</term><def><p>time of arrival</p></def></def-item></def-list>
<fig><label>Fig 1</label><caption><p>A ferry.</p></caption><graphic xlink:href="img/ferry.png"/></fig></sec></body>
<back><fn-group><fn id="n1"><label>a</label><p>In winter.</p></fn></fn-group>
<ref-list><title>Literature</title><ref id="B1"><mixed-citation>Moe C. (<year>2019</year>). <source>Ferries</source>. Oslo.</mixed-citation></ref></ref-list></back>
<response><front-stub><title-group><article-title>Reply</article-title></title-group></front-stub><body><p>We agree.</p></body></response></article>`;

test("an article with numbered sections and references is read as a page", async () => {
  const article = await read(NUMBERED, "application/xml");
  expect(article.markdown()).toMatchInlineSnapshot(`
    "# Tides & Zostera beds

    Ada Berg, Bo Lind

    1 Institute of the Coast

    Harbour Science · 12(3) · 45–51 · 2024-03-04 · [https://doi.org/10.5555/hs.7](https://doi.org/10.5555/hs.7)

    ## Abstract

    Eelgrass grows where α is small.

    Keywords: eelgrass, tides

    ## 1. Methods

    We counted shoots[^1] in two ways:

    1. by hand
    2. by camera

    as Table 1 shows.

    ### 1.1 Model

    The rate is $x^2$, so

    $$\\frac{a}{b}$$

    (1)

    **Table 1.** Shoots. By site.

    | Site | Shoots |
    | --- | --- |
    | North | 12 |

    Counted in May.

    **Figure 1.** The north bed.

    ## Acknowledgments

    We thank the divers.

    ## References

    [^1]: C Moe (2019). Counting grass. Reef, 4, 1–9. [https://doi.org/10.5555/reef.4](https://doi.org/10.5555/reef.4)"
  `);
  expect(article.rawHtml()).toBe(NUMBERED);
  expect(article.metadata()).toMatchObject({
    author: ["Ada Berg", "Bo Lind"],
    keywords: "eelgrass, tides",
    language: "en",
    publishedTime: "2024-03-04",
    title: "Tides & Zostera beds",
  });
});

test("an article without a document type, with references by author, is read as a page", async () => {
  const article = await read(AUTHORED, "text/xml");
  expect(article.markdown()).toMatchInlineSnapshot(`
    "# On ferries

    A study

    Dag Ek, Harbour Group

    2023

    Ferries are late (Moe, 2019).[^a]

    ## Costs

    Waiting costs $c_i$ a day, see [the list](https://ferry.test/).

    - fuel
    - crew

    > Late again.
    >
    > A traveller

    **ETA**

    time of arrival

    **Fig 1** A ferry.

    ![](https://press.test/articles/img/ferry.png)

    [^a]: In winter.

    ## Literature

    Moe C. (2019). Ferries. Oslo.

    ## Reply

    We agree."
  `);
});

test.each([
  ["a part of a page", "<article><h1>News</h1><p>Text</p></article>", "text/html", "# News"],
  ["DocBook", "<article><info><title>News</title></info></article>", "application/xml", "```xml"],
])("%s is no such article", async (_what, body, type, start) => {
  expect((await read(body, type)).markdown().startsWith(start)).toBe(true);
});
