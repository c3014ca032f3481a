import { Random } from "../random.ts";

const WORDS =
  "stone river the of and harbour lamp winter glass letter orchard engine a to in window paper copper bridge is for valley clock it thread garden market with salt tower was on ink coast number that field motor as signal by rain he price wheel she this pattern cloud at from summer road iron".split(
    " ",
  );

/** The kinds of pages that the engine tells apart by their features. */
const KINDS = [article, listing, product, forum, docs] as const;

/** Pages of all kinds, of 2 to 60 KB, the same ones for the same seed. */
export function workPages(count: number, seed: number): readonly string[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => {
    const body = (KINDS[index % KINDS.length] ?? article)(random);
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${words(random, 5)}</title>
<meta name="description" content="${words(random, 14)}"><meta property="og:title" content="${words(random, 5)}">
<link rel="canonical" href="/page-${index}"><style>.a{color:red}</style><script>window.state={"n":${index}}</script></head>
<body class="page k${index % 7}">${menu(random)}${body}${footer(random)}</body></html>`;
  });
}

function article(random: Random): string {
  const parts = many(random, 3, 20, () => {
    const text = `<p>${sentence(random)} <a href="/${random.below(99)}">${words(random, 3)}</a> ${sentence(random)} <em>${words(random, 2)}</em>.</p>`;
    const figure = `<figure><img src="/i/${random.below(99)}.jpg" alt="${words(random, 4)}"><figcaption>${words(random, 9)}</figcaption></figure>`;
    return random.isOneOf(5)
      ? `<h2>${words(random, 4)}</h2>${text}`
      : random.isOneOf(7)
        ? figure + text
        : text;
  });
  const aside = `<aside class="related"><h3>Related</h3><ul>${links(random, 6)}</ul></aside>`;
  return `<main><article><h1>${words(random, 6)}</h1><p class="byline">By <a rel="author" href="/by">${words(random, 2)}</a>, <time datetime="2024-03-0${1 + random.below(8)}">March 2024</time></p>${parts}</article></main>${aside}`;
}

function listing(random: Random): string {
  const cards = many(
    random,
    8,
    40,
    () =>
      `<div class="card"><a href="/item/${random.below(999)}"><img src="/c/${random.below(99)}.png" alt=""><h3>${words(random, 4)}</h3></a><p>${words(random, 12)}</p><span class="price">$${random.below(90)}.99</span></div>`,
  );
  return `<div id="content" class="grid"><h1>${words(random, 3)}</h1>${cards}</div><nav class="pages">${links(random, 5)}</nav>`;
}

function product(random: Random): string {
  const rows = many(random, 3, 12, () => `<tr><th>${words(random, 2)}</th><td>${words(random, 3)}</td></tr>`);
  return `<div class="product" itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${words(random, 5)}</h1>
<div class="buy"><span class="price" itemprop="price">$${10 + random.below(90)}.50</span> <del>$199.00</del><button class="add-to-cart">Add to cart</button></div>
<div class="description"><p>${sentence(random)}</p><p>${sentence(random)}</p></div><table>${rows}</table></div>
<section class="recommended"><h2>You may also like</h2>${many(random, 3, 8, () => `<a class="tile" href="/p/${random.below(99)}">${words(random, 3)} <b>$${random.below(50)}.00</b></a>`)}</section>`;
}

function forum(random: Random): string {
  const posts = many(
    random,
    3,
    15,
    () =>
      `<div class="post" id="p${random.below(9999)}"><div class="author"><a href="/u/${random.below(99)}">${words(random, 1)}</a> <span class="date">${1 + random.below(27)} May 2023</span></div><div class="message"><p>${sentence(random)}</p>${random.isOneOf(3) ? `<blockquote><p>${sentence(random)}</p></blockquote>` : ""}</div><div class="tools"><a href="#">Reply</a> <a href="#">Report</a></div></div>`,
  );
  return `<div class="thread"><h1>${words(random, 6)}</h1>${posts}</div>`;
}

function docs(random: Random): string {
  const parts = many(
    random,
    3,
    14,
    () =>
      `<h2 id="s${random.below(999)}">${words(random, 3)}</h2><p>${sentence(random)} <code>${words(random, 1)}()</code></p><pre><code class="language-js">const ${words(random, 1)} = ${random.below(100)};\ncall(${random.below(9)});</code></pre><ul>${links(random, 4)}</ul><dl><dt>${words(random, 2)}</dt><dd>${words(random, 8)}</dd></dl>`,
  );
  return `<div class="layout"><nav class="sidebar"><ul>${links(random, 25)}</ul></nav><div role="main"><h1>${words(random, 4)}</h1>${parts}</div></div>`;
}

function menu(random: Random): string {
  const notice = `<div class="cookie-banner"><p>We use cookies to ${words(random, 8)}.</p><button>Accept all</button></div>`;
  return `<header class="site"><a href="/"><img src="/logo.svg" alt="${words(random, 2)}"></a><nav><ul class="menu">${links(random, 12)}</ul></nav></header>${random.isOneOf(3) ? notice : ""}`;
}

function footer(random: Random): string {
  return `<footer><ul>${links(random, 10)}</ul><p>&copy; 2024 ${words(random, 3)}. All rights reserved.</p></footer>`;
}

function links(random: Random, count: number): string {
  return Array.from(
    { length: count },
    () =>
      `<li class="item"><a href="/l/${random.below(9999)}">${words(random, 1 + random.below(3))}</a></li>`,
  ).join("");
}

function many(random: Random, least: number, most: number, write: () => string): string {
  return Array.from({ length: least + random.below(most - least) }, write).join("\n");
}

function sentence(random: Random): string {
  return `${words(random, 8 + random.below(40))}.`;
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
}
