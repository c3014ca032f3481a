const WORDS =
  "library scroll parchment reader column marble archive scholar ink papyrus catalogue shelf copyist margin letter volume".split(
    " ",
  );

/** A page of about this many bytes with the parts of an article: head, navigation, text, lists, tables, code, scripts. */
export function articlePage(sizeBytes: number): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; length < sizeBytes - 6000; index += 1) {
    const part = section(index);
    parts.push(part);
    length += part.length;
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The library of Pergamon</title>
<meta name="description" content="How the second library of the ancient world was built.">
<meta property="og:title" content="The library of Pergamon"><link rel="icon" href="/favicon.ico">
<style>${".a{color:red}".repeat(100)}</style><script>${"window.x=(window.x||0)+1;".repeat(80)}</script></head>
<body><header class="site-header"><nav><ul>${links(40)}</ul></nav></header><main><article><h1>The library of Pergamon</h1>
${parts.join("\n")}</article></main><aside class="sidebar"><ul>${links(20)}</ul></aside><footer><p>All rights reserved.</p></footer></body></html>`;
}

function section(index: number): string {
  const rows = range(4).map(
    (row) => `<tr><td>${words(row, 2)}</td><td>${row * index}</td><td>${words(row + 3, 3)}</td></tr>`,
  );
  return `<section id="s${index}"><h2 class="title">${words(index, 4)}</h2>
<p class="text">${words(index, 60)} <a href="/topic/${index}">${words(index + 2, 3)}</a> ${words(index + 5, 40)} <strong>${words(index, 2)}</strong>.</p>
<p class="text">${words(index + 7, 80)} <em>${words(index + 1, 3)}</em> &amp; ${words(index + 9, 20)}.</p>
<ul class="list">${range(5)
    .map((item) => `<li><a href="/item/${index}/${item}">${words(item + index, 5)}</a></li>`)
    .join("")}</ul>
<figure><img src="/images/${index}.jpg" alt="${words(index, 3)}" width="640" height="480"><figcaption>${words(index, 8)}</figcaption></figure>
<table class="figures"><thead><tr><th>Name</th><th>Count</th><th>Note</th></tr></thead><tbody>${rows.join("")}</tbody></table>
<pre><code class="language-js">const scroll${index} = shelf.find((one) =&gt; one.id === ${index});\nconsole.log(scroll${index});</code></pre></section>`;
}

function links(count: number): string {
  return range(count)
    .map(
      (index) =>
        `<li class="menu-item"><a class="menu-link" href="/page/${index}">${words(index, 2)}</a></li>`,
    )
    .join("");
}

function words(seed: number, count: number): string {
  return range(count)
    .map((index) => WORDS[(seed * 7 + index * 5 + ((index * index) % 11)) % WORDS.length])
    .join(" ");
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
