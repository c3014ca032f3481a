import { namesLike } from "./invented-names.ts";
import {
  countriesIn,
  firstNamesOfTheWorld,
  germanNouns,
  lastNamesOfTheWorld,
  places,
  worldNames,
} from "./own-lists.ts";
import {
  MONTHS,
  PARTICLES,
  ROMAN,
  COMPANY,
  INDUSTRY,
  CLUB,
  BRANDS,
  SUFFIXES,
  LANDMARKS,
  CAPITAL_WORDS,
} from "./vocabulary.ts";

/** A text with where its persons, places and organisations stand. */
export interface Sample {
  readonly text: string;
  readonly spans: readonly { readonly start: number; readonly end: number; readonly type: string }[];
}

/** Where a form has a name: "S", alone or before an ending. */
const NAME_IN_FORM =
  /\bS(?![a-z])|\bS(?=(?:berg|dorf|hausen|straat|dijk|veen|oord|gebirge|tal|heim|stadt|ingen|ow|itz|hoven|woude|meer)\b)/g;

/** How many of the names are none that anybody knows, and how many come from other parts of the world. */
const INVENTED_SHARE = 0.2;
const WORLD_SHARE = 0.25;

/** The lists of one language, as `lists.py` writes them. */
export interface NameLists {
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly towns: readonly string[];
  readonly words: readonly string[];
}

export type Random = () => number;

/** Numbers from 0 to 1 that are the same each time. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Draws the values of slots in one language. */
export class Filler {
  readonly #countries: readonly string[];
  readonly #inventedFirst: () => string;
  readonly #inventedLast: () => string;
  readonly #inventedTown: () => string;
  constructor(
    readonly language: string,
    readonly lists: NameLists,
    readonly others: NameLists,
    readonly random: Random,
  ) {
    this.#countries = countriesIn(language);
    const letters = (names: readonly string[]) => names.filter((name) => /^\p{Lu}\p{Ll}{3,}$/u.test(name));
    const inventor = (names: readonly string[]) => namesLike(letters(names), random);
    this.#inventedFirst = inventor([...lists.first, ...firstNamesOfTheWorld, ...(worldNames["alone"] ?? [])]);
    this.#inventedLast = inventor([...lists.last, ...lastNamesOfTheWorld]);
    this.#inventedTown = inventor([...lists.towns, ...places]);
  }

  one<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.random() * values.length)] as Value;
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  readonly slots: Readonly<Record<string, () => readonly [value: string, type?: string]>> = {
    P: () => [this.person(), "PERSON"],
    F: () => [this.first(), "PERSON"],
    U: () => [this.alone(), "PERSON"],
    S: () => [this.last(), "PERSON"],
    C: () => [this.town(), "LOCATION"],
    X: () => [this.one(CAPITAL_WORDS)],
    L: () => [
      this.chance(0.3) ? this.landmark() : this.chance(0.55) ? this.one(places) : this.town(),
      "LOCATION",
    ],
    N: () => [this.one(this.#countries), "LOCATION"],
    O: () => [this.organisation(), "ORGANISATION"],
    R: () => [this.one(ROMAN), "PERSON"],
    G: () => [this.germanNoun()],
    A: () => [this.letters(2 + Math.floor(this.random() * 4))],
    I: () => [this.letters(1)],
    D: () => [String(1 + Math.floor(this.random() * 60))],
    Y: () => [String(1800 + Math.floor(this.random() * 225))],
    M: () => [this.one((MONTHS[this.language] ?? (MONTHS["en"] as string)).split(" "))],
  };

  first(): string {
    if (this.chance(INVENTED_SHARE)) return this.#inventedFirst();
    if (this.chance(WORLD_SHARE)) return this.one(firstNamesOfTheWorld);
    const lists = this.chance(0.15) ? this.others : this.lists;
    return this.one(lists.first);
  }

  last(): string {
    if (this.chance(INVENTED_SHARE)) return this.#inventedLast();
    if (this.chance(WORLD_SHARE)) return this.one(lastNamesOfTheWorld);
    const lists = this.chance(0.15) || this.lists.last.length < 50 ? this.others : this.lists;
    return this.one(lists.last);
  }

  /** Who is known by one name. */
  alone(): string {
    if (this.chance(0.35)) return this.last();
    return this.chance(0.4) ? this.#inventedFirst() : this.one(worldNames["alone"] as readonly string[]);
  }

  person(): string {
    const first = this.first();
    const middle = this.chance(0.12)
      ? ` ${String.fromCharCode(65 + Math.floor(this.random() * 26))}.`
      : this.chance(0.08)
        ? ` ${this.first()}`
        : "";
    const particle = this.chance(0.1)
      ? `${this.one(PARTICLES[this.language] ?? ["de"])} `.replace(/(['c]) $/, "$1")
      : "";
    const double = this.chance(0.06)
      ? `-${this.last()}`
      : this.language === "es" && this.chance(0.3)
        ? ` ${this.last()}`
        : "";
    const name = `${first}${middle} ${particle}${this.last()}${double}`;
    return name;
  }

  town(): string {
    if (this.chance(0.3)) return this.one(places);
    if (this.chance(INVENTED_SHARE)) return this.#inventedTown();
    const suffixes = SUFFIXES[this.language];
    if (suffixes && this.chance(0.4)) {
      const lead = this.chance(0.25)
        ? this.one(
            this.language === "fr"
              ? ["Saint ", "Sainte ", "Saint-"]
              : ["New ", "North ", "South ", "East ", "West ", "Port ", "Lake "],
          )
        : "";
      return (
        lead + this.one([this.last(), this.first()]) + (lead && this.chance(0.5) ? "" : this.one(suffixes))
      );
    }
    if (this.chance(0.2)) return this.one(this.others.towns);
    return this.one(this.lists.towns.length > 0 ? this.lists.towns : places);
  }

  /** German nouns are written like names, and joined to ever new ones. */
  germanNoun(): string {
    const noun =
      this.one(germanNouns) + (this.chance(0.3) ? this.one(["e", "en", "er", "n", "s", "es"]) : "");
    if (this.chance(0.2))
      return this.one(germanNouns) + this.one(["ung", "ungen", "keiten", "schaft", "heit"]);
    if (this.chance(0.4)) return noun;
    const joint = this.one(["", "s", "-"]);
    const second = this.one(germanNouns);
    return `${noun}${joint}${joint === "-" ? second : second.toLowerCase()}`;
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => String.fromCharCode(65 + Math.floor(this.random() * 26))).join(
      "",
    );
  }

  /** Rivers, bridges, parks: a name beside a word that says what it is. */
  landmark(): string {
    const form = this.one(LANDMARKS[this.language] ?? (LANDMARKS["en"] as readonly string[]));
    return form.replace(NAME_IN_FORM, () => this.last()).replaceAll(/\bC(?![a-z])/g, () => this.town());
  }

  organisation(): string {
    const ways = [
      () => this.one(BRANDS),
      () => `${this.last()} ${this.one(COMPANY)}`,
      () => `${this.one(INDUSTRY)} ${this.last()} ${this.one(COMPANY)}`,
      () => `${this.one(CLUB)} ${this.town()}`,
      () => `${this.one(INDUSTRY)} ${this.one(COMPANY)} of ${this.town()}`,
      () => `${this.last()}, ${this.last()} and ${this.last()}`,
      () => `${this.last()} ${this.one(["GmbH", "AG", "Ltd", "Inc", "S.A.", "SARL", "S.p.A.", "B.V."])}`,
      () => this.letters(3),
    ];
    return this.one(ways)();
  }

  fill(template: string): Sample {
    let text = "";
    const spans: { start: number; end: number; type: string }[] = [];
    for (const part of template.split(/(\{[A-Z]\})/)) {
      const slot = this.slots[part[1] ?? ""];
      if (!/^\{[A-Z]\}$/.test(part) || !slot) {
        text += part;
        continue;
      }
      const [value, type] = slot();
      const before = spans.at(-1);
      // "{F} {R}" is one name.
      if (part === "{R}" && before) before.end = text.length + value.length;
      else if (type) spans.push({ start: text.length, end: text.length + value.length, type });
      text += value;
    }
    // Now and then nobody bothers to write capitals.
    return { text: this.chance(this.language === "en" ? 0.04 : 0.02) ? text.toLowerCase() : text, spans };
  }

  /** Words of the language, some of them with capitals, none of them a name. */
  noise(): Sample {
    const words = this.lists.words.filter((word) => /^\p{L}{2,}$/u.test(word));
    const count = 4 + Math.floor(this.random() * 14);
    const drawn = Array.from({ length: words.length > 0 ? count : 0 }, () => this.one(words));
    const isHeading = this.chance(0.25);
    const text = drawn
      .map((word, index) =>
        index === 0 || (isHeading && this.chance(0.7)) || this.chance(0.02)
          ? word[0]?.toUpperCase() + word.slice(1)
          : word,
      )
      .join(" ");
    return { text: `${isHeading ? "## " : ""}${text}${isHeading ? "" : "."}`, spans: [] };
  }
}
