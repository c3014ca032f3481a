import { scannedPage, textPage, writePdf } from "./pdf-writer.ts";

const LINK = { url: "https://example.test/", box: [72, 700, 172, 720] } as const;

/** Files with some of everything. */
const WHOLE: readonly Buffer[] = [
  writePdf({
    pages: [
      { ...textPage("A page with a link and words.", "More (words) here."), links: [LINK] },
      { content: "100 500 m 300 500 l S 0.5 g 10 10 100 50 re f 0 0 m 50 90 l 90 40 l f", rotate: 90 },
      scannedPage({ width: 8, height: 8, pixels: new Uint8Array(64).fill(128) }),
    ],
    outline: [
      { title: "First", page: 1 },
      { title: "Third", page: 3 },
    ],
    info: { Title: "Some of everything" },
  }),
  writePdf({ pages: [textPage("Encrypted with nothing.")], password: "" }),
  writePdf({
    pages: [
      {
        ...textPage("Packed words, and a field:"),
        deflations: 1,
        fields: [{ text: "Filled in", x: 72, y: 600 }],
      },
    ],
    isInherited: true,
  }),
];

const ABSURD = ["-1", "0", "2147483647", "4294967296", "99999999999999999999", "1e308", "null", "[0 0 R]"];

type Damage = (bytes: Buffer, random: () => number) => Buffer;

/** One line per way in which a file is damaged. */
const DAMAGES: readonly Damage[] = [flipBits, cutOff, splice, replaceNumbers, pointElsewhere];

/** So many damaged files, by names. */
export function damagedPdfs(count: number): Readonly<Record<string, Buffer>> {
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  return Object.fromEntries(seeds.map((seed) => [`seed ${seed}`, damagedPdf(seed)]));
}

/** A damaged file; the same for the same seed. */
export function damagedPdf(seed: number): Buffer {
  const random = randomsFrom(seed);
  const whole = WHOLE[seed % WHOLE.length] as Buffer;
  const times = 1 + Math.floor(random() * 3);
  let bytes: Buffer = Buffer.from(whole);
  for (let time = 0; time < times; time += 1) {
    bytes = (DAMAGES[Math.floor(random() * DAMAGES.length)] as Damage)(bytes, random);
  }
  return bytes;
}

/** Of some hundred bytes. */
const BOMB_BYTES = 64 * 1024 * 1024;

/** A font whose matrix holds a program, which readers that build functions of it would run (CVE-2024-4367). */
export function programInFont(program: string): Buffer {
  const matrix = `/FontMatrix[1 2 3 4 5 (1\\); ${program}//)]`;
  const plain = writePdf({ pages: [textPage("A font with a program in it.")] }).toString("latin1");
  return Buffer.from(plain.replaceAll("/Subtype/Type1", `/Subtype/Type1${matrix}`), "latin1");
}

/** Files that are made to take long, or to lead in circles. */
export function hostilePdfs(): Readonly<Record<string, Buffer>> {
  const plain = writePdf({ pages: [textPage("One page.")] }).toString("latin1");
  const kids = /\/Kids\[(\d+) 0 R\]/.exec(plain)?.[0] ?? "";
  const tree = /\/Pages (\d+) 0 R/.exec(plain)?.[1] ?? "";
  const changed = (from: string | RegExp, to: string) => Buffer.from(plain.replace(from, to), "latin1");
  return {
    "an absurd number of pages": changed("/Count 1", "/Count 999999999"),
    "a tree of pages that holds itself": changed(kids, `/Kids[${tree} 0 R ${tree} 0 R]`),
    "a page of absurd size": changed("/MediaBox[0 0 612 792]", "/MediaBox[0 0 1e9 1e9]"),
    "a page without size": changed("/MediaBox[0 0 612 792]", "/MediaBox[0 0 0 0]"),
    "a length that lies": changed(/\/Length \d+/, "/Length 999999999"),
    "a page that inflates without end": writePdf({
      pages: [{ content: " ".repeat(BOMB_BYTES), deflations: 2 }],
    }),
    "states that are never closed": writePdf({ pages: [{ content: "q ".repeat(200_000) }] }),
    "more text than is read": writePdf({
      pages: [{ content: `BT /F1 1 Tf ${"(aaaaaaaaaaaaaaaaaaaaaaaa) Tj ".repeat(20_000)} ET` }],
    }),
    "ten thousand columns": writePdf({ pages: [textsAt(30_000, 10_000, 1.6)] }),
    "a million tiny texts": writePdf({ pages: [textsAt(1_000_000, 1000, 0.3)] }),
    "a font without a map": changed(
      "/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding",
      "/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600>>]",
    ),
    "more drawings than are looked at": writePdf({ pages: [{ content: "1 1 m 9 9 l S ".repeat(100_000) }] }),
  };
}

/** A page with so many texts of one letter, in rows of so many. */
function textsAt(count: number, columns: number, size: number) {
  const [pitch, height] = [2 * size, 2000];
  const texts = Array.from({ length: count }, (_, at) => {
    const [x, y] = [(at % columns) * pitch, height - size * (2 + Math.floor(at / columns))];
    return `BT /F1 ${size} Tf ${x.toFixed(1)} ${y.toFixed(1)} Td (a) Tj ET`;
  });
  return { content: texts.join("\n"), deflations: 1, width: columns * pitch, height };
}

function flipBits(bytes: Buffer, random: () => number): Buffer {
  const damaged = Buffer.from(bytes);
  for (let flips = 1 + Math.floor(random() * 30); flips > 0; flips -= 1) {
    const at = Math.floor(random() * damaged.length);
    damaged[at] = (damaged[at] as number) ^ (1 << Math.floor(random() * 8));
  }
  return damaged;
}

function cutOff(bytes: Buffer, random: () => number): Buffer {
  return bytes.subarray(0, Math.max(6, Math.floor(random() * bytes.length)));
}

function splice(bytes: Buffer, random: () => number): Buffer {
  const from = Math.floor(random() * bytes.length);
  const piece = bytes.subarray(from, from + Math.floor(random() * 500));
  const at = 6 + Math.floor(random() * (bytes.length - 6));
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

function replaceNumbers(bytes: Buffer, random: () => number): Buffer {
  const text = bytes.toString("latin1");
  const replaced = text.replace(/\d+/g, (number) =>
    random() < 0.02 ? (ABSURD[Math.floor(random() * ABSURD.length)] as string) : number,
  );
  return Buffer.from(replaced, "latin1");
}

/** Objects that refer to themselves and to each other. */
function pointElsewhere(bytes: Buffer, random: () => number): Buffer {
  const text = bytes.toString("latin1");
  const replaced = text.replace(/(\d+) 0 R/g, (reference) =>
    random() < 0.1 ? `${1 + Math.floor(random() * 15)} 0 R` : reference,
  );
  return Buffer.from(replaced, "latin1");
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
