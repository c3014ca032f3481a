import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

function markdown(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), "https://shop.test/");
}

const X = "```\nx\n```";

describe("code", () => {
  test.each([
    ["a span", "<p>a <code>b  *c*</code> d</p>", "a `b *c*` d"],
    ["keys and samples", "<kbd>Ctrl</kbd> <samp>ok</samp> <tt>t</tt>", "`Ctrl` `ok` `t`"],
    ["backticks inside", "<code>a`b</code>", "``a`b``"],
    ["a backtick at the edge", "<code>`a</code>", "`` `a ``"],
    ["touching spans are kept apart", "<code>a</code><code>b</code>", "`a` `b`"],
    ["a link inside", '<code><a href="/a">x</a></code>', "[`x`](https://shop.test/a)"],
    ["lines make a block", "<code>a<br>b</code>", "```\na\nb\n```"],
    ["a block is verbatim", "<pre>\n  a *b* &lt;c&gt;\n\n  # d\n</pre>", "```\n  a *b* <c>\n\n  # d\n```"],
    ["a longer fence where needed", "<pre>a\n````\nb</pre>", "`````\na\n````\nb\n`````"],
    ["lines as elements", "<pre><code><div>a</div><div>b</div></code></pre>", "```\na\nb\n```"],
    [
      "lines as elements of a highlighter",
      '<pre><code><span class="line">a</span><span class="line"></span><span class="line"><i>b</i></span></code></pre>',
      "```\na\n\nb\n```",
    ],
    [
      "lines as elements with line breaks between",
      '<pre><code><span class="code-line">a</span>\n<span class="code-line">b\n</span><span class="code-line">c</span></code></pre>',
      "```\na\nb\nc\n```",
    ],
    ["breaks", "<pre>a<br>b</pre>", "```\na\nb\n```"],
    ["controls are dropped", "<pre><button>Copy</button>x</pre>", X],
    ["empty", "<pre> \n </pre>a", "a"],
    [
      "characters that were read byte by byte",
      "<pre>say(\u00e2\u0080\u0099)</pre><p><code>\u00c3\u0089t\u00c3\u00a9</code>",
      "```\nsay(\u2019)\n```\n\n`\u00c9t\u00e9`",
    ],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("language of code", () => {
  test.each([
    ['<pre class="language-js">x</pre>', "js"],
    ['<pre><code class="hljs lang-c++">x</code></pre>', "c++"],
    ['<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"],
    ['<div class="highlight-python notranslate"><div class="highlight"><pre>x</pre></div></div>', "python"],
    ['<pre class="brush: php">x</pre>', "php"],
    ['<pre data-lang="rust">x</pre>', "rust"],
    ['<pre><code class="hljs rust">x</code></pre>', "rust"],
    ['<pre class="rust rust-example-rendered"><code>x</code></pre>', "rust"],
    ['<pre class="sp-cm sp-javascript">x</pre>', "javascript"],
    ['<div class="mw-highlight mw-highlight-lang-html"><pre>x</pre></div>', "html"],
    ['<div class="java"><pre>x</pre></div>', ""],
    ['<pre class="language-none">x</pre>', ""],
    ['<div class="highlight-default"><pre>x</pre></div>', ""],
    ["<pre>x</pre>", ""],
  ])("%s", (html, language) => {
    expect(markdown(html)).toBe(`\`\`\`${language}\nx\n\`\`\``);
  });
});

describe("line numbers", () => {
  test.each([
    [
      "spans in the code",
      '<pre><span class="line-number">1</span>a\n<span class="line-number">2</span>b</pre>',
      "a\nb",
    ],
    [
      "a column beside the code",
      '<table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
      "a\nb",
    ],
    [
      "one row per line",
      '<table><tr><td data-line-number="1"></td><td>a</td></tr><tr><td data-line-number="2"></td><td>  b</td></tr></table>',
      "a\n  b",
    ],
    [
      "elements that only count",
      "<pre><div><span>1</span><div>a</div><span>2</span><div></div><span>3</span><div> c</div></div></pre>",
      "a\n\n c",
    ],
    ["figures that count nothing", "<pre>1\n2\n3</pre>", "1\n2\n3"],
    ["figures that do not count", "<pre>1\na\n4\nb</pre>", "1\na\n4\nb"],
    [
      "a class on the code itself drops nothing",
      '<pre class="line-numbers"><code class="line-numbers">a\nb</code></pre>',
      "a\nb",
    ],
  ])("%s", (_, html, code) => {
    expect(markdown(html)).toBe(`\`\`\`\n${code}\n\`\`\``);
  });
});

describe("elements that show lines", () => {
  test.each([
    [
      "code around a table of numbers and lines",
      '<div class="language-cpp highlighter-rouge"><code><table class="rouge-table"><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a;\nb;\n</pre></td></tr></table></code></div>',
      "```cpp\na;\nb;\n```",
    ],
    ["code around a block", "<code class=x><pre><code>a\n b</code></pre></code>", "```\na\n b\n```"],
    [
      "code in which lines stay",
      '<p>a</p><code style="white-space: pre">\n/b\nc d=1\n</code>',
      "a\n\n```\n/b\nc d=1\n```",
    ],
    [
      "lines that may wrap",
      '<code style="display:block;white-space:pre-wrap">a\n  b</code>',
      "```\na\n  b\n```",
    ],
    [
      "code as a block of one line",
      '<p>a</p><code class="hl block">def x</code><p>b</p>',
      "a\n\n```\ndef x\n```\n\nb",
    ],
    [
      "code that is indented as its source",
      '<code class="block">\n      <b>def</b> x\n        y\n    </code>',
      "```\ndef x\n  y\n```",
    ],
    [
      "commands and what they print, with an empty line between",
      '<div><code class="block">#check Nat</code>\n<pre>Nat : Type</pre><code class="block"><b>\n</b></code>\n<code style="display: block">#eval 1</code></div>',
      "```\n#check Nat\nNat : Type\n\n#eval 1\n```",
    ],
    [
      "two listings beside each other",
      "<pre>a</pre>\n<pre>b</pre><p>c</p><code class=block>d</code>e<code class=block>f</code>",
      "```\na\n```\n\n```\nb\n```\n\nc\n\n```\nd\n```\n\ne\n\n```\nf\n```",
    ],
    [
      "types that open over names",
      '<pre><code><span class="twoslash-hover"><span class="twoslash-popup-container"><code>const x: 1</code></span>x</span><i role="tooltip">eins</i>()<span class="hover-info messages"><code>Nat</code></span></code></pre>',
      "```\nx()\n```",
    ],
    [
      "a box of typewriter letters",
      '<div style="font-family: Menlo, monospace; white-space: pre">a\n  b</div>',
      "```\na\n  b\n```",
    ],
    [
      "a box that names its language",
      '<div class="code-block" data-lang="go">a\n  <b>b</b>\n</div>',
      "```go\na\n  b\n```",
    ],
    [
      "an editor with a block for each line",
      '<div class="CodeMirror"><div class="CodeMirror-code"><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">1</div></div><pre class="CodeMirror-line">a</pre></div><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">2</div></div><pre class="CodeMirror-line"> b</pre></div></div></div>',
      "```\na\n b\n```",
    ],
    [
      "an editor of boxes",
      '<div class="cm-content" data-language="python"><div class="cm-line">a</div><div class="cm-line"><br></div><div class="cm-line">  b</div></div>',
      "```python\na\n\n  b\n```",
    ],
    [
      "lines with a gutter of their own",
      '<figure class="frame"><figcaption class="header"><span class="title">a.js</span></figcaption><pre data-language="js"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code">a</div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">2</div></div><div class="code">\n</div></div><div class="ec-line"><div class="gutter"><div class="ln">3</div></div><div class="code">  b</div></div></code></pre></figure>',
      "a.js\n\n```js\na\n\n  b\n```",
    ],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test.each([
    ["a name in a sentence", "<p>Call <code>a b</code> first.</p>", "Call `a b` first."],
    [
      "a name in a cell",
      "<table><tr><th>a<th>b<tr><td><code>x</code><td><code>y</code></table>",
      "| a | b |\n| --- | --- |\n| `x` | `y` |",
    ],
    ["a poem", '<div style="white-space: pre-line">a\nb</div>', "a b"],
    ["an item", "<ul><li><code>a</code></li></ul>", "- `a`"],
  ])("%s is no block", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test.each([
    [
      "numbers that cannot be selected",
      '<pre><code><span style="white-space:pre;-webkit-user-select:none;user-select:none;color:#777">1</span>a\n<span style="user-select: none">2</span>b</code></pre>',
      "```\na\nb\n```",
    ],
    [
      "a label with a class, without code",
      '<pre class="code code--bash"><div class="code__header"><span>bash</span></div><div>a</div></pre>',
      "```bash\na\n```",
    ],
    [
      "the language beside the name of the highlighter",
      '<figure class="highlight cpp"><table><tr><td class="gutter"><pre>1</pre></td><td class="code"><pre>a</pre></td></tr></table></figure>',
      "```cpp\na\n```",
    ],
    [
      "the language of another highlighter",
      '<pre class="EnlighterJSRAW" data-enlighter-language="php">a</pre>',
      "```php\na\n```",
    ],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("math", () => {
  test.each([
    [
      "TeX of an annotation",
      '<math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math>',
      "$x^2$",
    ],
    ["TeX of an attribute", '<math alttext="{\\displaystyle a_b}"><mi>a</mi></math>', "$a_b$"],
    ["symbols", "<math><mi>a</mi><mo>=</mo><mn>1</mn></math>", "$a=1$"],
    ["on a line of its own", '<p>a<math display="block" alttext="x"></math>b</p>', "a\n\n$$x$$\n\nb"],
    ["TeX of a script", 'a <script type="math/tex">x_1</script>', "a $x_1$"],
    ["what Markdown would read as a tag", '<math alttext="a&lt;b>c, 1&lt;2"></math>', "$a< b>c, 1<2$"],
    ["display TeX of a script", '<script type="math/tex; mode=display">x</script>', "$$x$$"],
    [
      "the drawn copy is dropped",
      '<span><span><math alttext="x"></math></span><span aria-hidden="true"><b>x drawn</b></span></span>',
      "$x$",
    ],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("labels beside code", () => {
  const python = "```python\nx\n```";

  test.each([
    [
      "a label and a link in the code's own element",
      '<pre class="shiki twoslash"><div class="language-id">ts</div><div><code><div class="line">f()</div></code><a href=/t>Try</a></div></pre>',
      "```ts\nf()\n```",
    ],
    [
      "a label in front of the code",
      '<div class="code-block"><div><span>python</span><button>Copy code</button></div><pre><code>x</code></pre></div>',
      python,
    ],
    ["a label in front of the code's box", "<div>Python</div><div><pre>x</pre></div>", python],
    ["a caption", "<figure><figcaption>Python</figcaption><pre>x</pre></figure>", python],
    ["a name that fences write otherwise", "<div>C++</div><pre>x</pre>", "```cpp\nx\n```"],
    [
      "a head with buttons, deep in an editor",
      "<pre><div><div><div>Python</div><button>Run</button></div><div class='cm-content'><b>x</b></div></div></pre>",
      python,
    ],
    [
      "a head inside the code",
      '<pre><code><div class="code__header"><i>bash</i> <button>Copy</button></div><div>x</div></code></pre>',
      "```bash\nx\n```",
    ],
    ["an offer to copy", "<div><span>Copy</span></div><pre>x</pre>", X],
    ["`lang` on code", '<pre lang="sql">select 1</pre>', "```sql\nselect 1\n```"],
    [
      "an attribute of an own element",
      '<code-block language="go"><pre>x</pre></code-block>',
      "```go\nx\n```",
    ],
    ["the class rather than the label", '<div>Python</div><pre class="language-py">x</pre>', "```py\nx\n```"],
  ])("%s tell the language", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test.each([
    ["a heading", "<h3>Python</h3><pre>x</pre>", `### Python\n\n${X}`],
    ["a sentence", "<div>Run this:</div><pre>x</pre>", `Run this:\n\n${X}`],
    ["a paragraph", "<p>Go</p><pre>x</pre>", `Go\n\n${X}`],
    ["a list in front of the code", "<div><ul><li>Go</li></ul></div><pre>x</pre>", `- Go\n\n${X}`],
    ["a word that no code follows", "<div>Python</div><p>x</p>", "Python\n\nx"],
    ["a prompt", "<pre><span>$ </span><code>ls</code></pre>", "```\n$ ls\n```"],
    ["text beside the code", "<pre>Python <code>x</code></pre>", "```\nPython x\n```"],
    ["two codes", "<pre><code>Python\n</code><code>x</code></pre>", "```\nPython\nx\n```"],
    ["a language of people", '<pre lang="cs">x</pre>', X],
  ])("%s stays", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});
