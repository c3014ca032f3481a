import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

const markdown = (html: string): string => toMarkdown(selectAll(parseHtml(html)), "https://shop.test/");

describe("formulas", () => {
  test.each([
    [
      "a root of a fraction",
      "<math><mi>c</mi><mo>=</mo><msqrt><mfrac><mrow><mi>g</mi><mi>λ</mi></mrow><mrow><mn>2</mn><mi>π</mi></mrow></mfrac></msqrt></math>",
      "$c=\\sqrt{\\frac{g\\lambda}{2\\pi}}$",
    ],
    ["a power", "<math><msup><mi>a</mi><mn>2</mn></msup></math>", "$a^2$"],
    [
      "a sum with its bounds, on a line of its own",
      '<math display="block"><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>h</mi><mi>i</mi></msub></math>',
      "$$\\sum_{i=1}^nh_i$$",
    ],
    ["an index and a power", "<math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math>", "$x_i^2$"],
    ["a root of a degree", "<math><mroot><mi>x</mi><mn>3</mn></mroot></math>", "$\\sqrt[3]{x}$"],
    [
      "a matrix",
      "<math><mfenced><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></mfenced></math>",
      "$\\begin{pmatrix}a & b \\\\ 0 & 1\\end{pmatrix}$",
    ],
    [
      "functions and words",
      "<math><mi>sin</mi><mi>x</mi><mtext>for all</mtext><mi>x</mi></math>",
      "$\\sin x\\text{for all}x$",
    ],
    [
      "a binomial",
      '<math><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></math>',
      "$\\left(\\genfrac{}{}{0pt}{}{n}{k}\\right)$",
    ],
    [
      "a binomial that MathJax draws",
      "<mjx-container><mjx-math><mjx-mfrac><mjx-frac atop=true><mjx-num><mjx-mi>n</mjx-mi></mjx-num><mjx-den><mjx-mi>k</mjx-mi></mjx-den></mjx-frac></mjx-mfrac></mjx-math></mjx-container>",
      "$\\genfrac{}{}{0pt}{}{n}{k}$",
    ],
    [
      "letters of other alphabets",
      '<math><mi mathvariant="bold">F</mi><mo>∈</mo><mi>ℝ</mi><mo>,</mo><mi mathvariant="double-struck">Z</mi><mi>𝓟</mi><mi>𝔤</mi><mi mathvariant="script">L</mi></math>',
      "$\\mathbf{F}\\in\\mathbb{R},\\mathbb{Z}P\\mathfrak{g}\\mathcal{L}$",
    ],
    [
      "lines that are aligned",
      '<math><mtable columnalign="right left"><mtr><mtd><mi>x</mi></mtd><mtd><mo>=</mo><mi>y</mi></mtd></mtr></mtable></math>',
      "$\\begin{aligned}x & =y\\end{aligned}$",
    ],
    ["an accent", "<math><mover><mi>v</mi><mo>→</mo></mover></math>", "$\\vec{v}$"],
    ["a dot above", "<math><mover><mi>v</mi><mo>˙</mo></mover></math>", "$\\dot{v}$"],
    ["a line above", '<math><menclose notation="top"><mi>v</mi></menclose></math>', "$\\overline{v}$"],
    [
      "what MathJax draws",
      '<mjx-container class="MathJax" jax="CHTML" display="true"><mjx-math><mjx-mi><mjx-c class="mjx-c1D451">𝑑</mjx-c></mjx-mi><mjx-mo><mjx-c>=</mjx-c></mjx-mo><mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut><mjx-mi><mjx-c>𝑠</mjx-c></mjx-mi></mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den><mjx-dstrut></mjx-dstrut><mjx-mi><mjx-c>𝑛</mjx-c></mjx-mi></mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac></mjx-math></mjx-container>',
      "$$d=\\frac{s}{n}$$",
    ],
    [
      "what MathJax draws with characters of its style sheet",
      '<p>at <mjx-container jax="CHTML"><mjx-math><mjx-msup><mjx-mi><mjx-c class="mjx-c1D45F"></mjx-c></mjx-mi><mjx-script><mjx-mn><mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-script></mjx-msup></mjx-math></mjx-container> most</p>',
      "at $r^2$ most",
    ],
    [
      "what MathJax draws above and below a sign",
      "<mjx-container><mjx-math><mjx-msubsup><mjx-mi>w</mjx-mi><mjx-script><mjx-mn>3</mjx-mn><mjx-spacer></mjx-spacer><mjx-mi>k</mjx-mi></mjx-script></mjx-msubsup></mjx-math></mjx-container>",
      "$w_k^3$",
    ],
    [
      "a source in an attribute",
      '<p>so <span class="katex" data-math="x^2"><b>x2</b></span></p>',
      "so $x^2$",
    ],
    ["a source with its delimiters", '<div data-latex="$$\\frac{a}{b}$$">a/b</div>', "$$\\frac{a}{b}$$"],
    [
      "a picture of a service",
      '<p>so <img src="https://latex.codecogs.com/svg.image?\\frac{s}{n}" alt=""></p>',
      "so $\\frac{s}{n}$",
    ],
    [
      "a picture whose description is the formula",
      '<p>so <img class="latex" alt="a_1=b^2" src="/f.png"></p>',
      "so $a_1=b^2$",
    ],
    ["a description with commands", '<img alt="\\sqrt{h} - 2" src="/f.svg">', "$\\sqrt{h} - 2$"],
    ["an address that is the formula", '<img src="/tex/%5Csqrt%7Bh%7D">', "$\\sqrt{h}$"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  const [one, two] = [
    "<mfrac><mi>h</mi><mn>2</mn></mfrac>",
    "<mtr><mtd>a</mtd></mtr><mtr><mtd>b</mtd></mtr>",
  ];
  test.each([
    [
      "brackets grow",
      `<mo>(</mo>${one}<mo>]</mo><mo>(</mo><mi>k</mi><mo>)</mo>`,
      "\\left(\\frac{h}{2}\\right](k)",
    ],
    ["bars grow", `<mrow><mo>∣</mo>${one}<mo>∣</mo></mrow>`, "\\left|\\frac{h}{2}\\right|"],
    [
      "a bar at the end",
      `<msub><mrow>${one}<mo>|</mo></mrow><mn>0</mn></msub>`,
      "\\left.\\frac{h}{2}\\right|_0",
    ],
    [
      "a determinant",
      `<mo>|</mo><mtable>${two}</mtable><mo>|</mo>`,
      "\\begin{vmatrix}a \\\\ b\\end{vmatrix}",
    ],
    ["cases", `<mo>{</mo><mtable>${two}</mtable><mo></mo>`, "\\begin{cases}a \\\\ b\\end{cases}"],
    ["a box", `<menclose notation="box">${one}</menclose>`, "\\boxed{\\frac{h}{2}}"],
    ["words above a sign", "<mover><mo>=</mo><mtext>def</mtext></mover>", "\\overset{\\text{def}}{=}"],
    ["words below an arrow", "<munder><mo>→</mo><mi>f</mi></munder>", "\\xrightarrow[f]{}"],
    [
      "below a brace",
      "<munder><munder><mi>h</mi><mo>⏟</mo></munder><mi>n</mi></munder>",
      "\\underbrace{h}_n",
    ],
    ["wide accents", "<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>", "\\overrightarrow{AB}"],
    [
      "names",
      "<munder><mi>argmin</mi><mi>h</mi></munder><mi>kg</mi>",
      "\\operatorname*{argmin}_h\\mathrm{kg}",
    ],
    ["applied names", "<mi>Var</mi><mo>&#x2061;</mo><mi>X</mi>", "\\operatorname{Var}X"],
    ["signs in words", "<mtext>50% of A&amp;B_1 ~</mtext>", "\\text{50\\% of A\\&B\\_1 \\textasciitilde{}}"],
    [
      "bold Greek, other letters",
      '<mi mathvariant="bold">α</mi><mi>𝖠</mi><mi>𝚡</mi>',
      "\\boldsymbol{\\alpha}\\mathsf{A}\\mathtt{x}",
    ],
    [
      "wide space",
      '<mi>a</mi><mspace width="0.2em"/><mspace width="1em"/><mi>b</mi><mo>mod</mo><mi>n</mi>',
      "a\\quad b\\bmod n",
    ],
    ["double primes", "<msup><mi>f</mi><mo>″</mo></msup>", "f^{\\prime\\prime}"],
    [
      "an arrow between words",
      "<munder><mover><mo>→</mo><mi>f</mi></mover><mi>g</mi></munder>",
      "\\xrightarrow[g]{f}",
    ],
    ["rows in signs", "<mo><mover><mo>=</mo><mo>!</mo></mover></mo>", "\\overset{!}{=}"],
  ])("as LaTeX sets them: %s", (_, mathMl, expected) => {
    expect(markdown(`<math>${mathMl}</math>`)).toBe(`$${expected}$`);
  });

  test("10,000 levels are read in time", () => {
    expect(markdown(`<math>${"<mrow>".repeat(10_000)}<mi>x</mi></math>`)).toContain("x");
    expect(markdown(`<math>${"<msup><mi>x</mi>".repeat(3_000)}<mn>2</mn></math>`)).toContain("x");
    const brackets =
      "<mo>(</mo>".repeat(5_000) + "<mfrac><mi>x</mi><mi>y</mi></mfrac>" + "<mo>)</mo>".repeat(4_000);
    expect(markdown(`<math>${brackets}</math>`)).toContain("x");
  });
});

describe("formulas that a script draws from the text", () => {
  const drawn = (html: string): string =>
    markdown(`<script src="/js/mathjax@3/tex-chtml.js"></script><p>${html}</p>`);

  test.each([
    ["pandoc", '<span class="math inline">\\(a_1 *b* c\\)</span> holds', "$a_1 *b* c$ holds"],
    ["Sphinx", '<div class="math notranslate">\\[E = mc^2\\]</div>', "$$E = mc^2$$"],
    ["kramdown", "so $$\\frac{a}{b}$$ is", "so\n\n$$\\frac{a}{b}$$\n\nis"],
    ["Doxygen", "with \\(x_i\\) and \\(y_i\\).", "with $x_i$ and $y_i$."],
    ["prices", "from $$ to $$$, or $$", "from $$ to $$$, or $$"],
    ["unclosed", "at \\(x", "at \\\\(x"],
  ])("%s", (_, html, expected) => {
    expect(drawn(html)).toBe(expected);
  });

  test("are text without such a script, and take time in proportion to it", () => {
    expect(markdown("<p>match \\(x\\)</p>")).toBe("match \\\\(x\\\\)");
    const before = process.cpuUsage();
    for (const part of ["\\(", "\\(x\\)", "$$ ", "\\[ \\( $$ "]) drawn(part.repeat(100_000));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
  });
});

describe("powers and indices", () => {
  test.each([
    ["squares", "x<sup>2</sup> + y<sup>2</sup>", "x² + y²"],
    ["units", "3 m s<sup>−1</sup>, 5 m<sup>2</sup>", "3 m s⁻¹, 5 m²"],
    ["powers of numbers", "2.5 × 10<sup>3</sup>", "2.5 × 10^3"],
    ["indices", "c<sub>0</sub> + c<sub>1</sub>h, h<sub>i</sub>", "c₀ + c₁h, hᵢ"],
    ["chemistry", "H<sub>2</sub>O, SO<sub>4</sub><sup>2−</sup>, Na<sup>+</sup>", "H₂O, SO₄²⁻, Na⁺"],
    ["ordinals are words", "the 3<sup>rd</sup> lock, 1<sup>er</sup> mai", "the 3rd lock, 1er mai"],
    ["cents", "$19<sup>99</sup>", "$19.99"],
    ["a word below", "V<sub>max</sub>", "Vmax"],
    ["links stay", 'a<sup><a href="/x">2</a></sup>', "a[2](https://shop.test/x)"],
  ])("%s", (_, html, expected) => {
    expect(markdown(`<p>${html}</p>`)).toBe(expected);
  });
});
