import { describe, expect, test } from "vitest";

import type { ActionData } from "../../packages/server/src/api/answer.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();

let pages = 0;

/** Runs the actions on a page with this body. */
async function act(body: string, actions: readonly object[], formats: readonly unknown[] = ["markdown"]) {
  pages += 1;
  const url = world.site.page(`/page-${pages}`, htmlPage(body));
  return world.scrape({ url, actions, formats, onlyMainContent: false, timeout: 40_000 });
}

async function dataOf(body: string, actions: readonly object[]) {
  const answer = await act(body, actions);
  expect(answer.body.error).toBeUndefined();
  expect(answer.status).toBe(200);
  return answer.body.data;
}

async function resultsOf(body: string, actions: readonly object[]): Promise<ActionData> {
  const { actions: results } = await dataOf(body, actions);
  if (!results) throw new Error("The actions left nothing behind.");
  return results;
}

/** The values of scripts that run as actions. */
async function valuesOf(body: string, actions: readonly object[]): Promise<unknown[]> {
  return (await resultsOf(body, actions)).javascriptReturns.map(({ value }) => value);
}

const run = (script: string) => ({ type: "executeJavascript", script });

/** What scripts answer, and how it is told. */
const VALUES: readonly (readonly [string, object])[] = [
  [`"text"`, { type: "string", value: "text" }],
  ["6 * 7", { type: "number", value: 42 }],
  ["({ a: [1, null], b: { c: true } })", { type: "object", value: { a: [1, null], b: { c: true } } }],
  ["undefined", { type: "undefined", value: null }],
  ["null", { type: "object", value: null }],
  ["NaN", { type: "number", value: "NaN" }],
  ["10n ** 20n", { type: "bigint", value: "100000000000000000000" }],
  ["Symbol('s')", { type: "symbol", value: "Symbol(s)" }],
  ["(function named() {})", { type: "function", value: "function named() {}" }],
  ["const self = {}; self.self = self; self", { type: "object", value: "[object Object]" }],
  ["new Promise((r) => setTimeout(() => r('late'), 20))", { type: "string", value: "late" }],
  ["await Promise.resolve(1) + 1", { type: "number", value: 2 }],
  ["const a = 2; return a + 1;", { type: "number", value: 3 }],
  ["if (true) { 'last' }", { type: "string", value: "last" }],
  ["document.title", { type: "string", value: "" }],
  ["window.ofThePage", { type: "number", value: 7 }],
];

describe("vector 39", () => {
  const counter = `<button id="go" onclick="setTimeout(async () => {
      const text = await (await fetch('/fragment')).text();
      out.innerHTML = text;
    }, 20)">Go</button><div id="out"></div>`;

  test("a click brings what scripts then load and draw, and a scrape shows the page of its moment", async () => {
    world.site.page("/fragment", "<h2>Loaded by the click</h2>");
    const { markdown, actions } = await dataOf(counter, [
      { type: "scrape" },
      { type: "click", selector: "#go" },
      { type: "scrape" },
    ]);
    expect(markdown).toContain("## Loaded by the click");
    const [before, after] = actions?.scrapes ?? [];
    expect(before?.html).not.toContain("<h2>");
    expect(after?.html).toContain("<h2>Loaded by the click</h2>");
    expect(after?.url).toBe(world.site.url(`/page-${pages}`));
  });

  test("executeJavascript answers with the value of each script, whatever it is", async () => {
    const page = "<script>window.ofThePage = 7; document.title = ''</script>";
    const scripts = VALUES.map(([script]) => run(script));
    const { javascriptReturns } = await resultsOf(page, scripts);
    expect(VALUES.map(([script], index) => [script, javascriptReturns[index]])).toEqual(VALUES);
  });

  test("a value of a script may be large, and has only so many values in it", async () => {
    const large = "Array(100_000).fill({ a: 'x'.repeat(12) })";
    const { javascriptReturns } = await resultsOf("<p>x", [run(large)]);
    expect(JSON.stringify(javascriptReturns).length).toBeGreaterThan(2_000_000);
    const { status, body } = await act("<p>x", [run("Array(1_000_000).fill({})")]);
    expect(status).toBe(500);
    expect(body.error).toContain("it has more than 200000 values");
  });

  test("a selector that matches nothing fails the scrape, all of nothing does not", async () => {
    const { status, body } = await act("<p>x", [{ type: "click", selector: "#missing" }]);
    expect(status).toBe(500);
    expect(body.code).toBe("SCRAPE_ACTION_ERROR");
    expect(body.error).toMatch(/^Action\(s\) failed to complete\. Error code: SELECTOR_NOT_FOUND/);
    const all = { type: "click", selector: "#missing", all: true };
    expect((await act("<p>x", [all])).status).toBe(200);
  });
});

test.each([
  [{ type: "press", key: "" }, "UNKNOWN_KEY"],
  [{ type: "press", key: "Anykey" }, "UNKNOWN_KEY"],
  [{ type: "click", selector: "" }, "INVALID_SELECTOR"],
  [{ type: "click", selector: "<<bad" }, "INVALID_SELECTOR"],
  [{ type: "write", text: "x", selector: "p[" }, "INVALID_SELECTOR"],
  [{ type: "scroll", selector: "//div" }, "INVALID_SELECTOR"],
  [{ type: "wait", selector: " " }, "INVALID_SELECTOR"],
])("A69 a mistake that the request shows is refused before anything is fetched: %j", async (action, code) => {
  const path = "/never-asked";
  const url = world.site.page(path, "<p>x");
  const { status, body } = await world.scrape({ url, actions: [{ type: "scrape" }, action] });
  expect([status, body.code]).toEqual([400, "SCRAPE_ACTION_ERROR"]);
  expect(body.error).toMatch(`Action(s) failed to complete. Error code: ${code}. `);
  expect(body.details[0]?.path).toEqual(["actions", 1]);
  expect(world.site.hits(path)).toEqual([]);
});

describe("vector 40", () => {
  test("A71 actions that leave nothing behind are in the answer, too", async () => {
    const data = await dataOf("<h1>Page</h1>", [{ type: "wait", milliseconds: 10 }]);
    expect(data.actions).toEqual({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] });
    expect(data.markdown).toContain("# Page");
    expect(data.metadata).not.toHaveProperty("cacheState");
  });

  test("with one result all four lists are there", async () => {
    const results = await resultsOf("<p>x", [run("1")]);
    expect(results).toEqual({
      screenshots: [],
      scrapes: [],
      javascriptReturns: [{ type: "number", value: 1 }],
      pdfs: [],
    });
  });
});

describe("section 3.17: wait", () => {
  test("for an element waits until it is visible", async () => {
    const page = `<p id="late" style="display:none">Late</p><script>
      setTimeout(() => { late.style.display = "block"; window.shown = true; }, 400)</script>`;
    expect(await valuesOf(page, [{ type: "wait", selector: "#late" }, run("window.shown")])).toEqual([true]);
  });

  test("finds elements in shadow roots", async () => {
    const page = `<div id="host"></div><script>
      host.attachShadow({ mode: "open" }).innerHTML = "<b class=inside>x</b>"</script>`;
    expect(await valuesOf(page, [{ type: "wait", selector: ".inside" }, run("1")])).toEqual([1]);
  });

  test("a plain selector leads through shadow roots, for clicks, typing and waiting", async () => {
    const page = `<x-form></x-form><script>
      const define = (name, html) => customElements.define(name, class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: "open" }).innerHTML = html } });
      define("x-field", "<p><input><button onclick='window.n = 1'>go</button></p>");
      define("x-form", "<div class=box><x-field></x-field></div>");</script>`;
    const at = (selector: string) => ({ selector: `x-form .box x-field ${selector}` });
    const actions = [
      { type: "wait", ...at("p button") },
      { type: "click", ...at("button") },
      { type: "write", text: "ab", ...at("input") },
      run(
        "n + document.querySelector('x-form').shadowRoot.querySelector('x-field').shadowRoot.querySelector('input').value",
      ),
    ];
    expect(await valuesOf(page, actions)).toEqual(["1ab"]);
  });

  test("for milliseconds waits as long", async () => {
    const values = await valuesOf("<p>x", [
      run("window.start = performance.now(); 0"),
      { type: "wait", milliseconds: 300 },
      run("performance.now() - start >= 300"),
    ]);
    expect(values).toEqual([0, true]);
  });
});

describe("section 3.17: click", () => {
  test("all clicks every match, also what lies below another element", async () => {
    const page = `<button class="b" onclick="n = (window.n || 0) + 1">1</button>
      <button class="b" onclick="n = (window.n || 0) + 10">2</button>
      <div style="position:fixed;inset:0;background:#0008"></div>`;
    const actions = [{ type: "click", selector: ".b", all: true }, run("window.n")];
    expect(await valuesOf(page, actions)).toEqual([11]);
  });

  test("is a real one: trusted, on the middle, after scrolling there", async () => {
    const page = `<div style="height:5000px"></div><button id="far" onclick="seen = [event.isTrusted, event.type,
        document.elementFromPoint(event.clientX, event.clientY) === far]">Far</button>`;
    const actions = [{ type: "click", selector: "#far" }, run("window.seen")];
    expect(await valuesOf(page, actions)).toEqual([[true, "click", true]]);
  });

  test("follows a link and waits for the page behind it", async () => {
    world.site.page("/behind", htmlPage("<h1>Behind the link</h1>"));
    const data = await dataOf(`<a id="link" href="/behind">go</a>`, [{ type: "click", selector: "#link" }]);
    expect(data.markdown).toContain("# Behind the link");
    expect(data.metadata.url).toBe(world.site.url("/behind"));
  });

  test("on what cannot be seen fails", async () => {
    const { body } = await act(`<button id="b" hidden>x</button>`, [{ type: "click", selector: "#b" }]);
    expect(body.error).toContain("Error code: NOT_INTERACTABLE");
  });

  test("with what only a browser knows to be no selector fails", async () => {
    const { status, body } = await act("<p>x", [{ type: "click", selector: "p:nothing" }]);
    expect([status, body.code]).toEqual([500, "SCRAPE_ACTION_ERROR"]);
    expect(body.error).toContain("Error code: INVALID_SELECTOR");
  });

  test("that opens an endless dialog or a window does not stop the scrape", async () => {
    const page = `<button id="b" onclick="alert(1); window.open('/x'); done = confirm('sure?')">x</button>`;
    expect(await valuesOf(page, [{ type: "click", selector: "#b" }, run("window.done")])).toEqual([false]);
  });
});

/** What a page is told of each key: its name, its place on the keyboard, its number. */
const PRESSED = {
  ArrowDown: "ArrowDown ArrowDown 40",
  Escape: "Escape Escape 27",
  a: "a KeyA 65",
  A: "A KeyA 65",
  F5: "F5 F5 116",
  space: "  Space 32",
  "Shift+Tab": "Tab Tab 9",
  "+": "+ Equal 187",
};

describe("section 3.17: write and press", () => {
  test("type into the focused element, key by key", async () => {
    const page = `<input id="i" onkeydown="keys = (window.keys || '') + event.key">`;
    const actions = [
      { type: "click", selector: "#i" },
      { type: "write", text: "Añ 1!" },
      run("[i.value, window.keys]"),
    ];
    expect(await valuesOf(page, actions)).toEqual([["Añ 1!", "ShiftA 1Shift!"]]);
  });

  test("with a selector types into the element that matches, and says when there is none", async () => {
    const page = `<input id="i"><input id="j">`;
    const actions = [
      { type: "write", text: "one", selector: "#i" },
      { type: "write", text: "two", selector: "#j" },
      run("[i.value, j.value]"),
    ];
    expect(await valuesOf(page, actions)).toEqual([["one", "two"]]);
  });

  test("work in text areas and in what is editable", async () => {
    const page = `<textarea id="t"></textarea><div id="d" contenteditable style="min-height:1em"></div>`;
    const actions = [
      { type: "click", selector: "#t" },
      { type: "write", text: "one\ntwo" },
      { type: "click", selector: "#d" },
      { type: "write", text: "three" },
      run("[t.value, d.textContent]"),
    ];
    expect(await valuesOf(page, actions)).toEqual([["one\ntwo", "three"]]);
  });

  test("press sends forms, moves the focus and takes combinations", async () => {
    const page = `<form onsubmit="sent = i.value; return false"><input id="i"><input id="j"><button>ok</button></form>`;
    const actions = [
      { type: "click", selector: "#i" },
      { type: "write", text: "wrong" },
      { type: "press", key: "Control+A" },
      { type: "press", key: "Backspace" },
      { type: "write", text: "right" },
      { type: "press", key: "Enter" },
      { type: "press", key: "Tab" },
      run("[window.sent, document.activeElement.id]"),
    ];
    expect(await valuesOf(page, actions)).toEqual([["right", "j"]]);
  });

  test("press presses the key that people press", async () => {
    const page = `<script>addEventListener("keydown", (e) => {
      if (e.key !== "Shift") last = e.key + " " + e.code + " " + e.keyCode; e.preventDefault(); })</script>`;
    const keys = Object.keys(PRESSED);
    const values = await valuesOf(
      page,
      keys.flatMap((key) => [{ type: "press", key }, run("window.last")]),
    );
    expect(Object.fromEntries(keys.map((key, index) => [key, values[index]]))).toEqual(PRESSED);
  });
});

describe("section 3.17: scroll", () => {
  const high = `<body style="margin:0"><div style="height:10000px">x</div>`;
  const position = run("[scrollY, innerHeight]");

  test("goes down and up by a viewport", async () => {
    const down = { type: "scroll" };
    const up = { type: "scroll", direction: "up" };
    const values = await valuesOf(high, [down, down, position, up, position]);
    expect(values).toEqual([
      [2160, 1080],
      [1080, 1080],
    ]);
  });

  test("loads what is loaded on sight", async () => {
    world.site.page("/more", "<p>More of it</p>");
    const page = `<div style="height:3000px">x</div><div id="end"></div><script>
      new IntersectionObserver(async ([entry]) => {
        if (entry.isIntersecting) end.innerHTML = await (await fetch("/more")).text();
      }).observe(end)</script>`;
    const scrolls = Array.from({ length: 3 }, () => ({ type: "scroll" }));
    expect((await dataOf(page, scrolls)).markdown).toContain("More of it");
  });

  test("with a selector scrolls that box, or brings what does not scroll into view", async () => {
    const page = `<div id="box" style="height:100px;overflow:auto"><div style="height:1000px">x</div></div>
      <div style="height:5000px"></div><p id="far">far</p>`;
    const actions = [
      { type: "scroll", selector: "#box" },
      run("[box.scrollTop, scrollY]"),
      { type: "scroll", selector: "#far" },
      run("far.getBoundingClientRect().top < innerHeight"),
    ];
    expect(await valuesOf(page, actions)).toEqual([[100, 0], true]);
  });

  test("to what is not there fails", async () => {
    const { body } = await act(high, [{ type: "scroll", selector: "#nowhere" }]);
    expect(body.error).toContain("Error code: SELECTOR_NOT_FOUND");
  });
});

test("section 3.17: a script that throws, or is none, fails with what it said", async () => {
  const thrown = await act("<p>x", [run("nothing.here")]);
  expect(thrown.body.code).toBe("SCRAPE_ACTION_ERROR");
  expect(thrown.body.error).toContain("Error code: SCRIPT_ERROR. ReferenceError: nothing is not defined");
  const wrong = await act("<p>x", [run("return (")]);
  expect(wrong.body.error).toContain("Error code: SCRIPT_ERROR. SyntaxError");
});

test("section 3.17: a script that opens another page goes on there", async () => {
  world.site.page("/elsewhere", htmlPage("<h1>Elsewhere</h1>"));
  const { markdown, metadata } = await dataOf("<p>x", [run("location.href = '/elsewhere'")]);
  expect(markdown).toContain("# Elsewhere");
  expect(metadata.url).toBe(world.site.url("/elsewhere"));
});

test("section 3.17: pdf actions link to documents of the requested paper", async () => {
  const { pdfs } = await resultsOf("<h1>Paper</h1>", [
    { type: "pdf" },
    { type: "pdf", format: "A4", landscape: true, scale: 0.5 },
  ]);
  const files = await Promise.all(pdfs.map((url) => fetch(url)));
  for (const file of files) expect(file.headers.get("content-type")).toBe("application/pdf");
  const texts = await Promise.all(
    files.map(async (file) => Buffer.from(await file.arrayBuffer()).toString("latin1")),
  );
  for (const text of texts) expect(text.startsWith("%PDF-")).toBe(true);
  expect(texts[0]).toMatch(/\/MediaBox \[0 0 612 792\]/);
  expect(texts[1]).toMatch(/\/MediaBox \[0 0 84[12][.\d]* 59[45][.\d]*\]/);
});

test("section 3.17: a file is no page to act on; it is read, and the warning says so", async () => {
  const url = world.site.page("/paper.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF-1.4 paper");
  });
  const { status, body } = await world.scrape({ url, parsers: [], actions: [run("1")] });
  expect(status).toBe(200);
  expect(body.data.markdown).toBe(Buffer.from("%PDF-1.4 paper").toString("base64"));
  expect(body.data.warning).toContain("does not support the following features: actions --");
});

test("section 3.17: formats and the address tell of the page after the last action, the status included", async () => {
  world.site.page("/gone", (_request, response) => {
    response.writeHead(404, { "content-type": "text/html" }).end(htmlPage("<h1>Gone</h1>"));
  });
  const { markdown, metadata } = await dataOf('<a id="on" href="/gone">On</a>', [
    { type: "click", selector: "#on" },
  ]);
  expect(markdown).toContain("# Gone");
  expect(metadata).toMatchObject({ statusCode: 404, url: world.site.url("/gone") });
});
