import { stat } from "node:fs/promises";

import { describe, expect, test } from "vitest";

import { redactMarkdown } from "./redact.ts";
import type { Redaction } from "./span.ts";

const redacted = (markdown: string, options: Partial<Redaction> = {}) =>
  redactMarkdown(markdown, { mode: "accurate", replaceStyle: "tag", ...options });

/** A twentieth of what was timed by hand: a text that takes time by its square would need minutes. */
const WORST_CHARACTERS = 50_000;
const MAX_MS = 4000;

describe("Markdown stays what it is", () => {
  test.each([
    ["[Anna Schmidt](https://shop.test/team)", "[<PERSON>](https://shop.test/team)"],
    ["[write](mailto:anna@shop.test)", "[write](mailto:<EMAIL>)"],
    ["[call](tel:+4930901820)", "[call](tel:<PHONE>)"],
    ["<anna@shop.test>", "<EMAIL>"],
    ["card 4111 **1111** 1111 1111.", "card <FINANCIAL>."],
    ["card **4111 1111** 1111 1111.", "card **<FINANCIAL>**<FINANCIAL>."],
    ["`password = hunter2-9xK4q`", "`password = <SECRET>`"],
    ["john\\_doe@shop.test", "<EMAIL>"],
    ["![a@shop.test](data:image/png;base64,iVBORw0KGgo=)", "![<EMAIL>](data:image/png;base64,iVBORw0KGgo=)"],
  ])("%s", (markdown, expected) => {
    expect(redacted(markdown)).toBe(expected);
  });

  test.each(["я", "漢"])("and a word of millions of %s is searched", (letter) => {
    expect(redacted(letter.repeat(8e6))).toHaveLength(8e6);
  });

  test("cells of a table are redacted one by one", () => {
    const table = "| Name | Mail |\n| --- | --- |\n| Anna Schmidt | anna@shop.test |";
    expect(redacted(table)).toBe("| Name | Mail |\n| --- | --- |\n| <PERSON> | <EMAIL> |");
  });

  test("a private key within a code block leaves the block", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEF\n".repeat(4)}-----END PRIVATE KEY-----`;
    expect(redacted(`\`\`\`\n${key}\n\`\`\`\nText`)).toBe("```\n<SECRET>\n```\nText");
    expect(redacted(`\`\`\`\n${key.slice(0, 100)}\n\`\`\`\nText`)).toBe("```\n<SECRET>\n```\nText");
  });
});

describe("names are taken out whole", () => {
  test.each([
    [
      "Il lit au château du Vigneau, près de la mer Méditerranée.",
      "Il lit au <LOCATION>, près de la <LOCATION>.",
    ],
    [
      "Si trova nel parco nazionale di Doñana e nel duomo di Pisa.",
      "Si trova nel <LOCATION> e nel <LOCATION>.",
    ],
    ["They met at the Arkholme Bridge over Lune River.", "They met at the <LOCATION> over <LOCATION>."],
    ["Das ist der Geburtstag von Karl Marx in Trier.", "Das ist der Geburtstag von <PERSON> in <LOCATION>."],
  ])("%s", (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  test("of two people on one line, or in two sentences, each is one", () => {
    expect(redacted("Lo dicen Guy Pearce y Anna Schmidt en Madrid.")).toBe(
      "Lo dicen <PERSON> y <PERSON> en <LOCATION>.",
    );
    expect(redacted("Scrive Ettore Bianchi. A Milano piove.")).toBe("Scrive <PERSON>. A <LOCATION> piove.");
  });
});

describe("numbers of accounts are found behind the words that tell of them", () => {
  test.each([
    "Account number (USD): 12345678",
    "| Account number | 12345678 |",
    "Account Number\n12345678",
    "account_number: 12345678",
    "Numéro de compte : 12345 67890",
    "Konto-Nr.: 532 013 000",
    "BLZ: 370 400 44",
    "CLABE: 032180000118359719",
    "RIB 30006 00001 12345678901 89",
    "CCC 2100 0418 45 0200051332",
  ])("%s", (text) => {
    expect(redacted(text)).toBe(text.replace(/\d[\d ]*\d/, "<FINANCIAL>"));
  });

  test("and end where the number does", () => {
    expect(redacted("Pay to GB29 NWBK 6016 1331 9268 19 or GB49 NWBK 8584 9573 9318 52 or by card.")).toBe(
      "Pay to <FINANCIAL> or <FINANCIAL> or by card.",
    );
  });
});

describe("what is no personal data stays", () => {
  test.each([
    "ISBN 978-3-16-148410-0, SKU 4006381333931, order 101-3900240-5076336.",
    "From 1635 – 1672 and on 2024-03-12 14:05 at 192.168.0.1.",
    "The price is 1.299,00 € or $45,000.00.",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "password: changeme12345 or token = your-token-here-1",
    "The card 4111 1111 1111 1112 has a wrong check digit.",
    "| Nom | Ville |\n| --- | --- |\n| 1 | 2 |",
    "Mercury and Venus are closer to the Sun.",
    "Apache Spark reads what Google Maps writes.",
    "Bestelling 699-6024033-5517418, Konto 2024-11-23.",
    "Authorization: Bearer, on Monday in Role and Team.",
    "German and French cooking, Mexican food, for Italians and the Irish.",
    "Le musée est ouvert, la mer est calme, il castello è chiuso.",
  ])("%s", (text) => {
    expect(redacted(text)).toBe(text);
  });
});

test("the tagger's file is at most 1 MB", async () => {
  const { size } = await stat(new URL("tagger/tagger-data.json", import.meta.url));
  expect(size).toBeLessThanOrEqual(1_000_000);
});

describe("bad input", () => {
  test("text without spaces, from right to left, and between emoji", () => {
    expect(redacted("連絡先：anna@shop.testまで")).toContain("<EMAIL>");
    expect(redacted("דוא״ל: anna@shop.test טלפון")).toBe("דוא״ל: <EMAIL> טלפון");
    expect(redacted("👩‍🔬anna@shop.test👍🏽")).toBe("👩‍🔬<EMAIL>👍🏽");
    expect(redacted("😀 +44 20 7946 0958 😀", { replaceStyle: "mask" })).toBe("😀 **************** 😀");
  });

  test("a name that was found whole is found in parts", () => {
    expect(redacted("Annette Russell runs it. Yesterday Annette was away.")).not.toContain("Annette");
  });

  test.each([
    "a",
    "A ",
    "1",
    "1 ",
    "0 1-",
    "a@",
    "a.",
    "[",
    "](",
    "`",
    "``` ",
    "\\",
    "*",
    "_a",
    "<a ",
    "Aa-",
    "Van ",
    "eyJa.",
    "GB12 ",
    "secret",
    "secret=",
    "://a:",
    "the corner of A ",
    "Rue de ",
    "mer de ",
    "Lune River ",
    "Aa-a",
    "II",
    "12 Elm ",
    "12 Elm Street\n",
    "-----BEGIN PRIVATE KEY-----\n",
    "tel ",
    "http://",
    "(at) ",
    "A.A",
  ])("much of %j takes little time", (piece) => {
    const before = process.cpuUsage();
    redacted(piece.repeat(Math.ceil(WORST_CHARACTERS / piece.length)), { mode: "fast" });
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(MAX_MS);
  });
});
