import { describe, expect, test } from "vitest";

import { FRAME_MARK } from "@pergamon-dev/browser/tab/snapshot";
import { wholeHtml } from "./whole-html.ts";

const URL_OF_FRAME = "https://frames.test/dir/frame";

function frameOf(body: string, frames: Parameters<typeof wholeHtml>[0]["frames"] = []) {
  return { html: `<html><head></head><body>${body}</body></html>`, url: URL_OF_FRAME, frames };
}

function pageWith(frames: Parameters<typeof wholeHtml>[0]["frames"], elements: string): string {
  return wholeHtml({ html: `<body>${elements}</body>`, url: "https://site.test/", frames });
}

const element = (number: number, more = "") =>
  `<iframe src="/f${number}" ${FRAME_MARK}="${number}"${more}></iframe>`;

describe("the HTML of a page with frames", () => {
  test("is the page's own when there are none", () => {
    const html = `<body>${element(0)}</body>`;
    expect(wholeHtml({ html, url: "https://site.test/", frames: [] })).toBe(html);
  });

  test("has each frame's content behind its element, which loses its mark", () => {
    const html = pageWith(
      [frameOf("<p>One</p>"), frameOf("<p>Two</p>")],
      `${element(1)}${element(0, " id=a")}`,
    );
    expect(html).toBe(
      '<body><iframe src="/f1"></iframe><div><p>Two</p></div><iframe src="/f0" id=a></iframe><div><p>One</p></div></body>',
    );
  });

  test("has frames of frames where they belong", () => {
    const inner = frameOf("<p>Inner</p>");
    const outer = frameOf(`<p>Outer</p>${element(0)}`, [inner]);
    const html = pageWith([outer], element(0));
    expect(html).toMatch(
      /<div><p>Outer<\/p><iframe[^>]*><\/iframe><div><p>Inner<\/p><\/div><\/div><\/body>$/,
    );
  });

  test("has the documents of a frameset instead of it, and a document of its own once", () => {
    const set = `<frameset cols="9,*"><frame src="/f0" ${FRAME_MARK}="0"><frame src="/f1" ${FRAME_MARK}="1"></frameset>`;
    const html = wholeHtml({
      html: `<html>${set}</html>`,
      url: "https://site.test/",
      frames: [frameOf("A"), frameOf("B")],
    });
    expect(html).toBe("<html><body><div>A</div><div>B</div></body></html>");
    const own = pageWith([frameOf("<p>One</p>")], element(0, ' srcdoc="<p>One</p>"'));
    expect(own.split("One")).toHaveLength(2);
  });

  test("has addresses that are those of the frame", () => {
    const html = pageWith([frameOf('<a href="next">on</a><img src="/a.png">')], element(0));
    expect(html).toContain('href="https://frames.test/dir/next"');
    expect(html).toContain('src="https://frames.test/a.png"');
  });

  test("has no scripts and head of the frames", () => {
    const framed = {
      ...frameOf(""),
      html: "<html><head><title>Title</title></head><body class=a><script>go()</script><p>Words</p></body></html>",
    };
    expect(pageWith([framed], element(0))).toContain("<div><p>Words</p></div>");
  });

  test("leaves elements alone whose frames could not be read", () => {
    expect(pageWith([frameOf("One")], element(7))).toBe('<body><iframe src="/f7"></iframe></body>');
  });
});
