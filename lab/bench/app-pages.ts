const TEXT =
  "<p>A sentence of the served page, with words enough to count as one that people read.</p>".repeat(8);
/** The last that a page shows, and the moment when it did. */
const READY =
  "document.body.insertAdjacentHTML('beforeend', '<p>END OF ' + 'CONTENT</p>'); window.readyAt = performance.now();";
const FETCH = "const load = (after) => fetch('/part?after=' + after).then((answer) => answer.text());";
const SHOW = `const show = (html) => { root.innerHTML = html; ${READY} };`;
const SPINNER =
  "root.innerHTML = '<div class=spinner role=progressbar style=width:9px;height:9px>Loading…</div>';";

function page(body: string, script: string): string {
  return `<!doctype html><meta charset="utf-8"><title>App</title><nav>Home · Shop · About</nav>${body}<script>${script}</script>`;
}

function app(script: string, body = '<div id="root"></div>'): string {
  return page(body, FETCH + SHOW + script);
}

/** Pages whose content is complete at a moment of their own, each in another way. */
export const appPages: Readonly<Record<string, string>> = {
  "/served": page(TEXT, READY),
  "/hydrated": page(
    `<div id="root">${TEXT}</div>`,
    `${READY} setTimeout(() => root.replaceChildren(...root.cloneNode(true).childNodes), 120)`,
  ),
  "/fetched": app("load(300).then(show)"),
  "/by-xhr": app(
    "const x = new XMLHttpRequest(); x.open('GET', '/part?after=300'); x.onload = () => show(x.responseText); x.send()",
  ),
  "/chained": app(
    "load(300).then(() => new Promise((resolve) => setTimeout(resolve, 150))).then(() => load(400)).then(show)",
  ),
  "/by-timer": app(`${SPINNER} setTimeout(() => show(${JSON.stringify(TEXT)}), 1200)`),
  "/slow": app(`${SPINNER} load(2500).then(show)`),
  "/skeleton": app(
    "root.innerHTML = '<div class=skeleton style=height:20px></div>'.repeat(9); load(800).then(show)",
  ),
  "/gap": app(
    `load(200).then(() => { root.innerHTML = '<h1>Title</h1><p aria-busy=true style=height:9px>Loading…</p>'; setTimeout(() => load(200).then(show), 700); })`,
  ),
  "/polling": app("load(150).then(show); (function poll() { fetch('/hang').then(poll, poll); })()"),
  "/noisy": app(
    "root.insertAdjacentHTML('afterend', '<i id=clock></i>'); setInterval(() => { clock.textContent = performance.now(); navigator.sendBeacon('/beacon'); new Image().src = '/x.gif?' + Math.random(); }, 100); load(500).then(show)",
  ),
  "/carousel": app(
    "root.insertAdjacentHTML('afterend', '<div id=slide></div>'); let n = 0; setInterval(() => { slide.innerHTML = '<b>Slide ' + (n++ % 3) + '</b>'; }, 400); load(200).then(show)",
  ),
  "/events-app": app("new EventSource('/events').onmessage = () => {}; load(100).then(show)"),
  "/hung-image": page(`${TEXT}<img src="/hang?image">`, READY),
  "/hung-script": page(`${TEXT}<script async src="/hang?script"></script>`, READY),
  "/redirecting": page("<p>One moment</p>", "location.replace('/served')"),
  "/redirecting-late": page("<p>One moment</p>", "setTimeout(() => { location.href = '/served'; }, 500)"),
  "/streaming": app(
    `root.innerHTML = '<h1>Answer</h1>'; let n = 0; const timer = setInterval(() => { root.insertAdjacentHTML('beforeend', '<p>Paragraph ' + n + ' of an answer that is being written.</p>'); if (++n === 10) { clearInterval(timer); ${READY} } }, 150)`,
  ),
  "/by-worker": app(
    `new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/part?after=1200').then((a) => a.text()).then(postMessage)"]))).onmessage = ({ data }) => show(data);`,
  ),
  "/component": app(
    `customElements.define('late-article', class extends HTMLElement { async connectedCallback() { const html = await load(300); this.attachShadow({ mode: 'open' }).innerHTML = html + '<p>END OF ' + 'CONTENT</p>'; window.readyAt = performance.now(); } })`,
    "<late-article></late-article>",
  ),
};
