import { burn } from "@kenjiuno/msgreader/lib/Burner.js";
import { describe, expect, test } from "vitest";

import { docxFile, wordParagraph } from "../../../test/office-files.ts";
import { zipFile } from "../../../test/zip-file.ts";
import { readOffice } from "./office.ts";

const MAIL = "message/rfc822";

async function read(body: Buffer | string, mimeType = "") {
  return readOffice({ body: Buffer.from(body as Buffer), mimeType, url: "" });
}

const mail = (head: readonly string[], body: string) => `${head.join("\r\n")}\r\n\r\n${body}`;
const HEAD = [
  "From: Ada <ada@x.test>",
  "To: Bo <bo@x.test>, cy@x.test",
  "Date: Tue, 5 Mar 2024 10:00:00 +0100",
];

describe("a mail", () => {
  test.each([
    [
      "text in a charset of its own",
      "text/plain; charset=koi8-r",
      Buffer.from("f0d2c9d7c5d40d0ad7d3c5cd", "hex"),
      "Привет\\\nвсем",
    ],
    [
      "signs of Windows",
      "text/plain; charset=windows-1252",
      Buffer.from("one \x96 two", "latin1"),
      "one – two",
    ],
    [
      "quotes",
      "text/plain; charset=utf-8",
      Buffer.from("Yes.\r\n\r\n> May we?\r\n> Soon?"),
      "Yes.\n\n> May we?\\\n> Soon?",
    ],
    [
      "HTML, without pictures in the mail and without scripts",
      "text/html; charset=utf-8",
      Buffer.from('<style>p{}</style><p>See <b>this</b><img src="cid:1"></p><script>x</script>'),
      "See **this**",
    ],
  ])("with %s", async (_what, type, text, shown) => {
    const head = [
      ...HEAD,
      "Subject: =?utf-8?B?4piDIG5ld3M=?=",
      `Content-Type: ${type}`,
      "Content-Transfer-Encoding: base64",
    ];
    const { markdown, properties } = await read(mail(head, text.toString("base64")), MAIL);
    expect(markdown).toBe(
      `# ☃ news\n\n**From:** Ada \\<ada@x.test>\\\n**To:** Bo \\<bo@x.test>, cy@x.test\\\n**Date:** 2024-03-05T09:00:00.000Z\n\n${shown}`,
    );
    expect(properties).toEqual({ title: "☃ news", author: "Ada <ada@x.test>" });
  });

  test("shows its HTML once, names what is attached, and holds other mails", async () => {
    const part = (type: string, body: string, more = "") =>
      `--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;
    const alternative = `--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\nContent-Type: text/plain\r\n\r\nplain\r\n--c\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--c--\r\n`;
    const inner = part(MAIL, mail(["Subject: Within", "From: di@x.test"], "deep words"));
    const plan = part("application/pdf", "%PDF", "Content-Disposition: attachment; filename=plan.pdf\r\n");
    const { markdown } = await read(
      mail(
        ["Subject: All", "Content-Type: multipart/mixed; boundary=b"],
        `${alternative}${plan}${inner}--b--`,
      ),
      MAIL,
    );
    expect(markdown).toBe(
      "# All\n\nrich\n\nAttachments:\n\n- plan.pdf\n\n---\n\n## Within\n\n**From:** di@x.test\n\ndeep words",
    );
  });

  test("within mails a hundred deep ends", async () => {
    let body = mail(["Subject: Last"], "words");
    for (let depth = 0; depth < 100; depth++)
      body = mail(
        [`Subject: ${depth}`, `Content-Type: multipart/mixed; boundary=b${depth}`],
        `--b${depth}\r\nContent-Type: ${MAIL}\r\n\r\n${body}\r\n--b${depth}--`,
      );
    const { markdown } = await read(body, MAIL);
    expect(markdown.match(/^#/gm)?.length).toBe(11);
  });

  test("of parts within parts of parts is refused beyond some hundreds", async () => {
    const heads = [...Array(500).keys()].map((b) => `Content-Type: multipart/a; boundary=${b}\n\n--${b}\n`);
    await expect(read(heads.join(""), MAIL)).rejects.toMatchObject({ code: "unreadable-file" });
  });

  test("that is a saved page is the page, with its address", async () => {
    const html = `<nav><a href="/">Home</a></nav><main><h1>Tides</h1><p>${"Water comes and goes. ".repeat(20)}<a href="next">Next</a></p></main>`;
    const head = [
      "From: <Saved by Blink>",
      "Snapshot-Content-Location: https://a.test/docs/tides",
      "Subject: Tides",
      "Content-Type: multipart/related; boundary=b",
    ];
    const { markdown, properties } = await read(
      mail(
        head,
        `--b\r\nContent-Type: text/html\r\nContent-Location: https://a.test/docs/tides\r\n\r\n${html}\r\n--b--`,
      ),
      MAIL,
    );
    expect(markdown).toMatch(/^# Tides\n\nWater comes/);
    expect(markdown).toContain("[Next](https://a.test/docs/next)");
    expect(properties).toEqual({ title: "Tides" });
  });

  test("of Outlook has its subject, people and text", async () => {
    const text = (value: string) => Buffer.from(value, "utf16le");
    const stream = (name: string, bytes: Buffer) => ({
      name,
      type: 2,
      length: bytes.length,
      binaryProvider: () => new Uint8Array(bytes),
    });
    const properties = (bytes: number) => stream("__properties_version1.0", Buffer.alloc(bytes));
    const person = [
      properties(8),
      stream("__substg1.0_3001001F", text("Бо")),
      stream("__substg1.0_39FE001F", text("bo@x.test")),
    ];
    const top = [
      properties(32),
      stream("__substg1.0_0037001F", text("潮汐")),
      stream("__substg1.0_0C1A001F", text("Ada")),
      stream("__substg1.0_1000001F", text("Water\r\ncomes.")),
    ];
    const folder = {
      name: "__recip_version1.0_#00000000",
      type: 1,
      length: 0,
      children: [5, 6, 7],
    };
    const root = { name: "Root Entry", type: 5, length: 0, children: [1, 2, 3, 4, 8] };
    const file = Buffer.from(burn([root, ...top, ...person, folder]));
    expect((await read(file)).markdown).toBe(
      "# 潮汐\n\n**From:** Ada\\\n**To:** Бо \\<bo@x.test>\n\nWater\\\ncomes.",
    );
    const part = Buffer.concat([Buffer.alloc(8), file]).subarray(8);
    expect((await readOffice({ body: part, mimeType: "", url: "" })).markdown).toContain("# 潮汐");
  });
});

describe("a notebook", () => {
  const notebook = (cells: readonly object[]) =>
    JSON.stringify({ cells, metadata: { language_info: { name: "julia" } }, nbformat: 4, nbformat_minor: 5 });

  test("has text, code, and what the code printed", async () => {
    const outputs = [
      { output_type: "stream", text: ["\u001B[32m1\u001B[0m\n", "2\n"] },
      {
        output_type: "execute_result",
        data: { "text/html": "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>", "text/plain": "a 1" },
      },
      { output_type: "display_data", data: { "image/png": "AAAA", "text/plain": "<Figure>" } },
      { output_type: "error", traceback: ["Error", "at 1"] },
    ];
    const cells = [
      { cell_type: "markdown", source: ["# Wasser\n", "über"] },
      { cell_type: "code", source: "f(`x`)\n", outputs },
      { cell_type: "code", source: [] },
    ];
    expect((await read(notebook(cells))).markdown).toBe(
      "# Wasser\nüber\n\n```julia\nf(`x`)\n```\n\n```\n1\n2\n```\n\n| a |\n| --- |\n| 1 |\n\n```\nError\nat 1\n```",
    );
  });

  test("with an output of many megabytes shows its beginning", async () => {
    const cells = [
      {
        cell_type: "code",
        source: "run()",
        outputs: [{ output_type: "stream", text: "x".repeat(20_000_000) }],
      },
    ];
    expect((await read(notebook(cells))).markdown.length).toBeLessThan(30_000);
  });
});

describe("an archive", () => {
  const ARCHIVE = "application/x-zip-compressed";

  test("of documents has each below its name, and names what it cannot read", async () => {
    const body = zipFile({
      "Berichte/a_b.docx": docxFile(wordParagraph("Words")),
      "list.csv": "a;b\n1;2\n",
      "note.md": "*note*",
      "within.zip": zipFile({ "x.md": "hidden" }),
      "broken.docx": "PK",
      "__MACOSX/._note.md": "junk",
    });
    expect((await read(body, ARCHIVE)).markdown).toBe(
      "## Berichte/a\\_b.docx\n\nWords\n\n## list.csv\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## note.md\n\n*note*\n\n## within.zip\n\n## broken.docx",
    );
  });

  test("that unpacks to more than is read is refused", async () => {
    const body = zipFile({ "a.csv": " ".repeat(100_000_000), "b.csv": " ".repeat(100_000_000) });
    await expect(read(body, ARCHIVE)).rejects.toMatchObject({ code: "unreadable-file" });
  });
});
