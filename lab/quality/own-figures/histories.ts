import { htmlToMarkdown } from "../../../packages/html/src/index.ts";
import { isSameContent } from "../../../packages/server/src/scrape/diff/same-content.ts";

/** A random number from 0 to 1. */
type Random = () => number;

/** A part of a page at one of its visits, from 0 on. */
type Part = (visit: number, random: Random) => string;

const number = (random: Random, least: number, most: number) => least + Math.floor(random() * (most - least + 1));
const pick = <Item>(random: Random, items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
const hex = (random: Random, length: number) =>
  Array.from({ length }, () => number(random, 0, 15).toString(16)).join("");
const two = (value: number) => String(value).padStart(2, "0");
const clock = (random: Random) => `${two(number(random, 0, 23))}:${two(number(random, 0, 59))}`;

/** What differs from visit to visit although nothing has changed. The second half was kept apart from those who wrote the rules. */
const NOISE: readonly (readonly [name: string, part: Part])[] = [
  ["hours ago", (_, r) => `<p>Posted ${number(r, 2, 23)} hours ago by Ann</p>`],
  ["marked time", (_, r) => `<p>Posted <b>${number(r, 2, 9)}</b> days ago · ${number(r, 100, 999)} views</p>`],
  ["views", (_, r) => `<p>${number(r, 1, 9)},${number(r, 100, 999)} views · ${number(r, 10, 99)} comments</p>`],
  ["form token", (_, r) => `<p><a href="/next?id=4&csrf=${hex(r, 16)}">Next chapter</a></p>`],
  ["picture version", (_, r) => `<p><img src="/mill.png?v=${hex(r, 8)}" alt="The mill"></p>`],
  ["frame", (_, r) => `<p>Before <iframe src="https://ads.test/${hex(r, 8)}"></iframe> after</p>`],
  ["updated at", (_, r) => `<p>Last updated: 29 November 2026 ${clock(r)} UTC</p>`],
  ["local time", (_, r) => `<p>Local time: ${clock(r)}:${two(number(r, 0, 59))}</p>`],
  ["session", (_, r) => `<p><a href="/cart;jsessionid=${hex(r, 24)}">Basket</a></p>`],
  ["people online", (_, r) => `<p>${number(r, 100, 999)} people online</p>`],
  ["time to make", (_, r) => `<p>Page generated in 0.${number(r, 100, 999)} seconds.</p>`],
  ["white space", (visit) => `<p>${"Water\n wheels ".repeat(3).replaceAll(" ", " ".repeat(visit + 1))}</p>`],
  // The half that was kept apart.
  ["hours ago in German", (_, r) => `<p>Veröffentlicht vor ${number(r, 2, 40)} Minuten</p>`],
  ["hour in French", (visit, r) => `<p>Publié il y a ${visit === 0 ? "une heure" : `${number(r, 2, 9)} heures`}</p>`],
  ["compound time", (_, r) => `<p>Edited about ${number(r, 2, 9)} days, ${number(r, 2, 20)} hours ago</p>`],
  ["server time", (_, r) => `<p>Server time: Sun, 29 Nov 2026 ${clock(r)}:${two(number(r, 0, 59))} GMT</p>`],
  ["request id", (_, r) => `<p>Request ID: ${hex(r, 8)}-${hex(r, 4)}-${hex(r, 12)}</p>`],
  ["countdown", (_, r) => `<p>Offer ends in ${two(number(r, 0, 9))}:${two(number(r, 0, 59))}:${two(number(r, 0, 59))}</p>`],
  ["signed link", (_, r) => `<p><a href="https://cdn.test/plan.pdf?X-Amz-Date=${number(r, 1e6, 9e6)}&X-Amz-Signature=${hex(r, 64)}">The plan</a></p>`],
  ["hidden mail", (_, r) => `<p><a href="/cdn-cgi/l/email-protection#${hex(r, 40)}">Write to us</a></p>`],
  ["viewers", (_, r) => `<p>${number(r, 2, 40)} people are viewing this right now</p>`],
  ["likes", (_, r) => `<p>👍 ${number(r, 10, 900)}</p>`],
  ["as of", (_, r) => `<p>As of ${number(r, 1, 28)}/11/2026 ${number(r, 1, 12)}:${two(number(r, 0, 59))} pm</p>`],
  ["downloads", (_, r) => `<p>${number(r, 1, 99)}.${number(r, 1, 9)}k downloads</p>`],
];

/** What has changed from the last visit on. The second half was kept apart, too. */
const CHANGES: readonly (readonly [name: string, part: (hasChanged: boolean, random: Random) => string])[] = [
  ["price", (now) => `<p>Price: €${now ? "129.00" : "149.00"}</p>`],
  ["word", (now) => `<p>The mill is ${now ? "closed" : "open"} to visitors.</p>`],
  ["paragraph", (now) => (now ? "<p>The sluice was repaired in spring.</p>" : "")],
  ["list item", (now) => `<ul><li>Flour</li>${now ? "" : "<li>Bran</li>"}<li>Oats</li></ul>`],
  ["date", (now) => `<p>The feast is on ${now ? 13 : 12} March.</p>`],
  ["opening hours", (now) => `<p>Open 9:00 to ${now ? "18:00" : "17:00"}</p>`],
  ["stock", (now) => `<p>${now ? "Sold out" : "In stock"}</p>`],
  ["number", (now) => `<p>${now ? 14 : 12} rooms are free.</p>`],
  ["link", (now) => `<p><a href="/tickets?id=${now ? 8 : 7}">Tickets</a></p>`],
  ["heading", (now) => `<h2>The ${now ? "new" : "old"} wheel</h2>`],
  // The half that was kept apart.
  ["telephone", (now) => `<p>Telephone 030 1234 ${now ? 568 : 567}</p>`],
  ["version", (now) => `<p>Version 2.3.${now ? 2 : 1} is the newest.</p>`],
  ["table cell", (now) => `<table><tr><th>Day</th><th>Level</th></tr><tr><td>Monday</td><td>${now ? 82 : 81} cm</td></tr></table>`],
  ["percentage", (now) => `<p>Interest: ${now ? "3.5" : "3.4"} %</p>`],
  ["departure", (now) => `<p>Train to Basel 08:${now ? 25 : 15}, platform 3</p>`],
  ["score", (now) => `<p>United 2:${now ? 2 : 1} City</p>`],
  ["duration", (now) => `<p>The walk takes ${now ? 3 : 2} hours.</p>`],
  ["deadline", (now) => `<p>Apply until 30 November, ${now ? 16 : 14}:00.</p>`],
  ["limit", (now) => `<p>At most ${now ? 60 : 30} days of storage.</p>`],
  ["author", (now) => `<p>Written by ${now ? "B." : "A."} Miller</p>`],
];

const TEXTS = [
  "The mill behind the weir was rebuilt over two winters, with oak beams from a dismantled barn.",
  "Its wheel turns on most days of the year, and the miller opens the gate before breakfast.",
  "Visitors may look into the loft, where sacks were lifted by a chain that the wheel drives.",
  "A path leads along the race to the pond, past the willows that the first owner planted.",
];

interface Judged {
  readonly alarms: readonly string[];
  readonly missed: readonly string[];
}

/** Three visits of each page: the second differs by noise alone, the third by a change, too. */
function judge(histories: number, isApart: boolean): Judged {
  const half = <Item>(items: readonly Item[]) =>
    isApart ? items.slice(items.length / 2) : items.slice(0, items.length / 2);
  const [noise, changes] = [half(NOISE), half(CHANGES)];
  const alarms = new Set<string>();
  const missed = new Set<string>();
  const random = numbers(isApart ? 41 : 17);
  for (let at = 0; at < histories; at += 1) {
    const [noisy, changing] = [noise[at % noise.length], changes[at % changes.length]];
    const other = pick(random, noise);
    if (!noisy || !changing) throw new Error("There are no generators.");
    const at0 = number(random, 0, TEXTS.length - 1);
    const versions = [0, 1, 2].map((visit) =>
      htmlToMarkdown(
        `<!doctype html><html lang="en"><head><title>The mill</title></head><body><header><nav><a href="/">Home</a> <a href="/map">Map</a></nav></header><main><article><h1>The mill ${at}</h1>
<p>${TEXTS[at0]}</p>${noisy[1](visit, random)}<p>${TEXTS[(at0 + 1) % 4]}</p>${changing[1](visit === 2, random)}${other[1](visit, random)}<p>${TEXTS[(at0 + 2) % 4]}</p></article></main><footer><p>© Mill</p></footer></body></html>`,
        { url: "https://mill.test/" },
      ),
    );
    const [first = "", second = "", third = ""] = versions;
    if (!isSameContent(first, second)) alarms.add(`${noisy[0]} or ${other[0]}`);
    if (isSameContent(second, third)) missed.add(changing[0]);
  }
  return { alarms: [...alarms], missed: [...missed] };
}

/** False alarms and missed changes of monitors in 200 made histories. */
export function countAlarms(): boolean {
  const results = [false, true].map((isApart) => {
    const { alarms, missed } = judge(100, isApart);
    const name = isApart ? "kept apart" : "known";
    console.log(`100 histories of generators ${name}: false alarms: ${alarms.join("; ") || "none"}; missed: ${missed.join("; ") || "none"}`);
    return alarms.length + missed.length;
  });
  return results.every((count) => count === 0);
}

/** Random numbers that are the same in every run. */
function numbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
