import { encode } from "iconv-lite";
import { describe, expect, test } from "vitest";

import { decodeBody } from "./decode.ts";

/** "Привет" in windows-1251. */
const RUSSIAN = Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2);
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

function bytes(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
}

describe("where the charset comes from", () => {
  test.each([
    "text/html; charset=windows-1251",
    'text/html;CHARSET="Windows-1251"',
    "text/html; a=b; charset = cp1251 ; c",
  ])("the content type %s", (contentType) => {
    expect(decodeBody(RUSSIAN, contentType)).toBe("Привет");
  });

  test.each([
    '<meta charset="windows-1251">',
    "<META content='text/html; charset=windows-1251' http-equiv=Content-Type>",
    `<!-- ${"x".repeat(4000)} --><meta charset=cp1251>`,
  ])("the page's own meta", (meta) => {
    expect(decodeBody(bytes(meta, RUSSIAN), "text/html")).toBe(`${meta}Привет`);
  });

  test("the content type goes before the meta", () => {
    const body = bytes("<meta charset=koi8-r>", RUSSIAN);
    expect(decodeBody(body, "text/html; charset=windows-1251")).toContain("Привет");
  });

  test("a byte order mark goes before the meta and is no text", () => {
    const body = bytes(BOM, "<meta charset=koi8-r>", Buffer.from("é"));
    expect(decodeBody(body, undefined)).toBe("<meta charset=koi8-r>é");
  });

  test.each([
    ["UTF-8", bytes(BOM, Buffer.from("Привет"))],
    ["UTF-16LE", Buffer.from("\uFEFFПривет", "utf16le")],
    ["UTF-16BE", Buffer.from("\uFEFFПривет", "utf16le").swap16()],
  ])("a byte order mark of %s goes before the content type", (_name, body) => {
    expect(decodeBody(body, "text/html; charset=windows-1251")).toBe("Привет");
  });

  test("an unknown label leaves it to the next source", () => {
    const body = bytes("<meta charset=windows-1251>", RUSSIAN);
    expect(decodeBody(body, "text/html; charset=none-such")).toContain("Привет");
    expect(decodeBody(Buffer.from("<meta charset=none-such>é"), "text/html; charset=none")).toContain("é");
  });

  test("otherwise UTF-8", () => {
    expect(decodeBody(Buffer.from("é日本"), undefined)).toBe("é日本");
    expect(decodeBody(Buffer.from("é日本"), "text/html")).toBe("é日本");
  });
});

test.each([
  ["windows-1252", [0x80, 0x93, 0xe9], "€“é"],
  ["iso-8859-1", [0x80, 0x93, 0xe9], "€“é"],
  ["shift_jis", [0x93, 0xfa, 0x96, 0x7b], "日本"],
  ["gb2312", [0xd6, 0xd0, 0xce, 0xc4], "中文"],
  ["euc-kr", [0xc7, 0xd1], "한"],
  ["big5", [0xa4, 0xa4], "中"],
  ["utf-16le", [0x41, 0x00, 0xac, 0x20], "A€"],
])("decodes %s", (label, body, text) => {
  expect(decodeBody(Uint8Array.from(body), `text/html; charset=${label}`)).toBe(text);
});

test("bytes that are no text become replacement characters", () => {
  expect(decodeBody(Uint8Array.of(0x61, 0xff, 0x62), "text/html; charset=utf-8")).toBe("a\uFFFDb");
  expect(decodeBody(new Uint8Array(), undefined)).toBe("");
});

test("reads a part of a larger buffer", () => {
  expect(decodeBody(bytes("xx", Buffer.from("é"), "yy").subarray(2, 4), undefined)).toBe("é");
});

describe("a page that lies about its charset", () => {
  test.each([
    ["the server's word counts, as in browsers", Buffer.from("é"), "text/html; charset=windows-1252", "Ã©"],
    [
      "a meta that says UTF-16 is itself no UTF-16",
      Buffer.from("<meta charset=utf-16le>é"),
      undefined,
      "<meta charset=utf-16le>é",
    ],
    [
      "UTF-16 that the server calls UTF-8 and its mark does not",
      Buffer.from("\ufeffé", "utf16le"),
      undefined,
      "é",
    ],
    ["half a character at the end", Uint8Array.of(0x61, 0xc3), "text/html; charset=utf-8", "a\ufffd"],
    ["a label longer than any", Buffer.from("é"), `text/html; charset=${"utf-8".repeat(10_000)}`, "é"],
  ])("%s", (_name, body, contentType, text) => {
    expect(decodeBody(body, contentType)).toBe(text);
  });
});

test.each([
  [
    "windows-1250",
    [
      "Piła;Łomża;3",
      "Škola;Ždírec, Jiří;4",
      "Gyöngyös;hűtő;5",
      "Brăila;Iaşi, Galaţi;6",
      "Otočac;Kovačević;7",
    ],
  ],
  ["iso-8859-2", ["Piła;Wąsosz;3", "Gyöngyös;hűtő;5", "Brăila;Galaţi;6"]],
  [
    "windows-1252",
    ["Sète;Noël, à 20 ºC;3", "Øster Å;går;4", "¿Qué?;Cañón;5", "Così;Cantù;6", "São João;às três;7"],
  ],
  ["windows-1254", ["Eskişehir;çarşı;3"]],
  ["windows-1257", ["Panevėžys;kiekis, mėnesį;3", "Põltsamaa;hõbe;4"]],
])("a few words tell the charset by the letters of their language: %s", (charset, texts) => {
  for (const text of texts) expect(decodeBody(encode(text, charset), "text/csv")).toBe(text);
});

describe("a page that names no charset", () => {
  const texts = {
    gb18030:
      "本市昨日宣布，东码头的渡轮将在运行一百一十五年后停运。市长表示，新的桥梁已经建成，居民可以免费通行。",
    big5: "本市昨日宣布，東碼頭的渡輪將在運行一百一十五年後停運。市長表示，新的橋樑已經建成，居民可以免費通行。",
    "euc-kr":
      "시는 어제 동부 부두의 연락선이 백십오 년의 운항 끝에 중단된다고 발표했다. 시장은 새로운 다리가 완공되었다고 말했다.",
    shift_jis:
      "市は昨日、東埠頭の渡し船が百十五年の運航を終えると発表した。市長は、新しい橋が完成し、住民は無料で渡れると述べた。",
    "euc-jp":
      "市は昨日、東埠頭の渡し船が百十五年の運航を終えると発表した。市長は、新しい橋が完成し、住民は無料で渡れると述べた。",
    "koi8-r":
      "Городские власти объявили вчера, что паром у восточной пристани прекратит работу после ста пятнадцати лет.",
    "windows-1251":
      "Городские власти объявили вчера, что паром у восточной пристани прекратит работу после ста пятнадцати лет.",
    "windows-1250":
      "Město včera oznámilo, že přívoz u východního nábřeží po sto patnácti letech končí. Starosta řekl, že most je hotový.",
    "iso-8859-2":
      "Miasto ogłosiło wczoraj, że prom przy wschodnim nabrzeżu kończy służbę po stu piętnastu latach służby.",
    "iso-8859-7":
      "Ο δήμος ανακοίνωσε χθες ότι το πορθμείο στην ανατολική προβλήτα κλείνει μετά από εκατόν δεκαπέντε χρόνια.",
    "windows-1252":
      "Die Stadt erklärte gestern, daß die Fähre am Ostkai schließt: „Die neue Brücke ist fertig“ – größer als früher.",
    "windows-1254":
      "Belediye dün doğu rıhtımındaki feribotun yüz on beş yıl sonra kapanacağını açıkladı. Yeni köprü hazır.",
    "windows-1255":
      "העירייה הודיעה אתמול כי המעבורת ברציף המזרחי תיסגר לאחר מאה וחמש עשרה שנים. ראש העיר אמר כי הגשר מוכן.",
    "windows-1256":
      "أعلنت المدينة أمس أن العبّارة في الرصيف الشرقي ستتوقف بعد مئة وخمسة عشر عاما. وقال رئيس البلدية إن الجسر جاهز.",
  };

  test.each(Object.entries(texts))("is read as its words are written: %s", (charset, text) => {
    const page = `<html><head><title>x</title><style>.a{}</style></head><body><p class="main-content">${text}</p></body></html>`;
    expect(decodeBody(encode(page, charset), "text/html")).toBe(page);
  });

  test("stays UTF-8 when a few characters are broken", () => {
    const body = bytes(Buffer.from("größer ".repeat(50)), Uint8Array.of(0xff), Buffer.from(" Ende"));
    expect(decodeBody(body, "text/html")).toBe(`${"größer ".repeat(50)}\ufffd Ende`);
  });

  test("is not guessed when the server says UTF-8", () => {
    expect(decodeBody(bytes(RUSSIAN), "text/html; charset=utf-8")).toBe("\ufffd".repeat(6));
  });

  test("is guessed in time, whatever its bytes are", () => {
    const text = decodeBody(Buffer.alloc(5_000_000, Buffer.from([0x3c, 0xff])), "text/html");
    expect(text).toHaveLength(5_000_000);
  });
});
