import { escaped as e, MadeRandom } from "./random.ts";

type Kind = "event" | "job" | "recipe" | "contact";
type Language = "en" | "de" | "fr" | "es";

/** What pages say, by language. */
export interface FactWords {
  /** By property: its label in each language. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly months: Readonly<Record<string, readonly string[]>>;
  readonly titles: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>>;
  readonly texts: Readonly<Record<string, string>>;
  /** One for each language, in the order of `texts`. */
  readonly places: readonly string[];
  readonly companies: readonly string[];
  readonly streets: readonly string[];
  readonly phones: readonly string[];
  /** Languages that write `5 de maio de 2027`. */
  readonly of: readonly string[];
  money(language: string, amount: number): string;
}

/** A page that tells a few facts of one thing, and what they are. */
export interface MadeFactsPage {
  readonly id: string;
  readonly kind: Kind;
  readonly template: string;
  readonly html: string;
  /** By property of the schema of its kind: every way to write it that is right. */
  readonly truth: Readonly<Record<string, readonly string[]>>;
}

interface Fact {
  readonly property: string;
  readonly label: string;
  readonly written: string;
  readonly also?: readonly string[];
}

export interface Thing {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly Fact[];
}

const PAGES = 200;
const KINDS: readonly Kind[] = ["event", "job", "recipe", "contact"];

const LABELS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  date: { en: "Date", de: "Datum", fr: "Date", es: "Fecha" },
  venue: { en: "Venue", de: "Ort", fr: "Lieu", es: "Lugar" },
  price: { en: "Price", de: "Preis", fr: "Tarif", es: "Precio" },
  company: { en: "Company", de: "Unternehmen", fr: "Entreprise", es: "Empresa" },
  location: { en: "Location", de: "Standort", fr: "Lieu", es: "Ubicación" },
  salary: { en: "Salary", de: "Gehalt", fr: "Salaire", es: "Salario" },
  servings: { en: "Servings", de: "Portionen", fr: "Portions", es: "Raciones" },
  cookTime: { en: "Cook time", de: "Kochzeit", fr: "Temps de cuisson", es: "Tiempo de cocción" },
  phone: { en: "Phone", de: "Telefon", fr: "Téléphone", es: "Teléfono" },
  email: { en: "Email", de: "E-Mail", fr: "E-mail", es: "Correo" },
  address: { en: "Address", de: "Anschrift", fr: "Adresse", es: "Dirección" },
};

const MONTHS: Readonly<Record<Language, readonly string[]>> = {
  en: ["March", "May", "September", "November"],
  de: ["März", "Mai", "September", "November"],
  fr: ["mars", "mai", "septembre", "novembre"],
  es: ["marzo", "mayo", "septiembre", "noviembre"],
};
const MONTH_NUMBERS = ["03", "05", "09", "11"];
/** Languages that write `5. Mai 2027`. */
const POINTED = ["de"];

const TITLES: Readonly<Record<Kind, Readonly<Record<Language, readonly string[]>>>> = {
  event: {
    en: ["Night of the open kilns", "Estuary choir festival", "Repair fair"],
    de: ["Nacht der offenen Werkstätten", "Chorfest am Fluss", "Flohmarkt der Dinge"],
    fr: ["Nuit des ateliers", "Fête des chœurs", "Foire aux livres"],
    es: ["Noche de los talleres", "Fiesta de coros", "Feria del libro"],
  },
  job: {
    en: ["Harbour pilot", "Archivist", "Bicycle mechanic"],
    de: ["Hafenlotsin", "Archivar", "Zweiradmechanikerin"],
    fr: ["Archiviste", "Mécanicien cycles", "Relieuse"],
    es: ["Archivera", "Mecánico de bicicletas", "Práctico de puerto"],
  },
  recipe: {
    en: ["Barley and leek broth", "Rye crispbread", "Plum dumplings"],
    de: ["Graupensuppe mit Lauch", "Roggenknäcke", "Zwetschgenknödel"],
    fr: ["Soupe d'orge aux poireaux", "Pain de seigle", "Clafoutis aux prunes"],
    es: ["Sopa de cebada", "Pan de centeno", "Albóndigas de ciruela"],
  },
  contact: {
    en: ["Workshop of the harbour", "Records office", "Cycle kitchen"],
    de: ["Werkstatt am Hafen", "Stadtarchiv Lindau", "Radküche"],
    fr: ["Atelier du port", "Archives de la ville", "La Cyclerie"],
    es: ["Taller del puerto", "Archivo municipal", "La Bicicocina"],
  },
};

const TEXTS: Readonly<Record<Language, string>> = {
  en: "The doors are kept by people of the quarter, who have done this for many years and like to tell about it.",
  de: "Die Türen hüten Leute aus dem Viertel, die das seit vielen Jahren tun und gern davon erzählen.",
  fr: "Les portes sont tenues par des gens du quartier, qui le font depuis des années et en parlent volontiers.",
  es: "Las puertas las cuidan vecinos del barrio, que lo hacen desde hace años y lo cuentan con gusto.",
};

const PLACES = ["Harbour Hall, Tromsdal", "Alte Weberei, Lindau", "Halle Sud, Nantes", "Casa del Mar, Gijón"];
const COMPANIES = ["Northlight Ltd", "Brückner GmbH", "Ateliers Morel", "Talleres Ibarra"];
const STREETS = [
  "14 Quay Street, Tromsdal",
  "Hafengasse 9, 88131 Lindau",
  "3 rue du Port, 44000 Nantes",
  "Calle Mayor 5, 33201 Gijón",
];
const PHONES = ["+44 20 7946 0123", "+49 8382 555 017", "+33 2 40 55 01 23", "+34 985 550 123"];

const WORDS: FactWords = {
  labels: LABELS,
  months: MONTHS,
  titles: TITLES,
  texts: TEXTS,
  places: PLACES,
  companies: COMPANIES,
  streets: STREETS,
  phones: PHONES,
  of: ["es"],
  money,
};

/** Two hundred pages of events, jobs, recipes and contacts, each layout several times. */
export function makeFacts(
  byTemplate = LAYOUTS,
  seed = 101,
  words: FactWords = WORDS,
): readonly MadeFactsPage[] {
  const layouts = Object.entries(byTemplate);
  return Array.from({ length: PAGES }, (_, at) => {
    const random = new MadeRandom(at + seed);
    const kind = KINDS[at % KINDS.length] ?? "event";
    const language = random.pick(Object.keys(words.texts));
    const [template, layout] =
      layouts[Math.floor(at / KINDS.length) % layouts.length] ?? random.pick(layouts);
    const thing = thingOf(words, kind, language, random);
    return {
      id: `${kind}-${at}`,
      kind,
      template,
      truth: Object.fromEntries([
        [kind === "job" ? "title" : "name", [thing.title]],
        ...thing.facts.map(({ property, written, also = [] }) => [property, [written, ...also]] as const),
      ]),
      html: `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${e(thing.title)} | ${e(random.pick(words.companies))}</title></head>
<body><nav><a href="/">·</a> <a href="/a">A</a></nav><main><h1>${e(thing.title)}</h1><p>${e(thing.text)}</p>
${layout(thing)}</main><footer>© 2027</footer></body></html>
`,
    };
  });
}

function thingOf(words: FactWords, kind: Kind, language: string, random: MadeRandom): Thing {
  const place = Object.keys(words.texts).indexOf(language);
  const { places, companies, streets, phones } = words;
  const fact = (property: string, written: string, also: readonly string[] = []): Fact => ({
    property,
    label: words.labels[property]?.[language] ?? property,
    written,
    also,
  });
  const facts: Readonly<Record<Kind, () => readonly Fact[]>> = {
    event: () => [
      dateOf(words, language, random, fact),
      fact("venue", places[place] ?? ""),
      fact("price", words.money(language, random.between(5, 60))),
    ],
    job: () => [
      fact("company", companies[place] ?? ""),
      fact("location", (places[place] ?? "").split(", ")[1] ?? ""),
      fact("salary", words.money(language, random.between(24, 60) * 1000)),
    ],
    recipe: () => [
      fact("servings", String(random.between(2, 8))),
      fact("cookTime", `${random.between(15, 90)} min`),
    ],
    contact: () => [
      fact("phone", phones[place] ?? ""),
      fact("email", `desk${random.between(1, 9)}@workshop.example`),
      fact("address", streets[place] ?? ""),
    ],
  };
  return {
    title: random.pick(words.titles[kind][language] ?? []),
    text: words.texts[language] ?? "",
    facts: facts[kind](),
  };
}

function dateOf(
  words: FactWords,
  language: string,
  random: MadeRandom,
  fact: (property: string, written: string, also: readonly string[]) => Fact,
): Fact {
  const month = random.below(MONTH_NUMBERS.length);
  const day = random.between(10, 28);
  const name = words.months[language]?.[month] ?? "";
  const written =
    POINTED.includes(language)
      ? `${day}. ${name} 2027`
      : words.of.includes(language)
        ? `${day} de ${name} de 2027`
        : `${day} ${name} 2027`;
  return fact("date", written, [`2027-${MONTH_NUMBERS[month] ?? ""}-${day}`]);
}

function money(language: string, amount: number): string {
  if (language === "en") return `£${amount.toLocaleString("en-GB")}`;
  return `${amount.toLocaleString(language === "es" ? "de" : language).replaceAll(/[\u00a0\u202f]/gu, " ")} €`;
}

export const allOf = (thing: Thing, write: (fact: Fact) => string): string => thing.facts.map(write).join("\n");

/** By the name of the template: how the facts stand below the heading. */
export type FactLayouts = Readonly<Record<string, (thing: Thing) => string>>;

/** No rule was written beside these: what they show is not to be mended by a rule for one of them. */
export const FACT_LAYOUTS_ASIDE: FactLayouts = {
  sentences: (thing) => allOf(thing, (f) => `<p>${f.label} – ${e(f.written)}</p>`),
  tableOfTwoRows: (thing) =>
    `<table><tr>${allOf(thing, (f) => `<th>${f.label}</th>`)}</tr><tr>${allOf(thing, (f) => `<td>${e(f.written)}</td>`)}</tr></table>`,
  stacked: (thing) =>
    `<div class="m">${allOf(thing, (f) => `<div><p class="k">${f.label}</p><p class="v">${e(f.written)}</p></div>`)}</div>`,
  strongLines: (thing) =>
    `<div>${thing.facts.map((f) => `<strong>${f.label}</strong> ${e(f.written)}`).join("<br>")}</div>`,
  aside: (thing) =>
    `<aside><ul>${allOf(thing, (f) => `<li><em>${f.label}:</em><div>${e(f.written)}</div></li>`)}</ul></aside>`,
};

const LAYOUTS: FactLayouts = {
  terms: (thing) => `<dl>${allOf(thing, (f) => `<dt>${f.label}</dt><dd>${e(f.written)}</dd>`)}</dl>`,
  rows: (thing) =>
    `<table>${allOf(thing, (f) => `<tr><th>${f.label}</th><td>${e(f.written)}</td></tr>`)}</table>`,
  cells: (thing) =>
    `<table>${allOf(thing, (f) => `<tr><td>${f.label}:</td><td>${e(f.written)}</td></tr>`)}</table>`,
  bold: (thing) => allOf(thing, (f) => `<p><strong>${f.label}:</strong> ${e(f.written)}</p>`),
  items: (thing) => `<ul>${allOf(thing, (f) => `<li>${f.label}: ${e(f.written)}</li>`)}</ul>`,
  pairs: (thing) =>
    `<div class="g">${allOf(thing, (f) => `<div><span>${f.label}</span><span>${e(f.written)}</span></div>`)}</div>`,
  headings: (thing) => allOf(thing, (f) => `<h3>${f.label}</h3><p>${e(f.written)}</p>`),
  lines: (thing) => `<p>${thing.facts.map((f) => `<b>${f.label}</b>: ${e(f.written)}`).join("<br>\n")}</p>`,
  cards: (thing) =>
    `<section>${allOf(thing, (f) => `<article><small>${f.label}</small><div>${e(f.written)}</div></article>`)}</section>`,
  icons: (thing) =>
    `<ul>${allOf(thing, (f) => `<li title="${f.label}"><i class="ic"></i><b>${f.label}</b> <span>${e(f.written)}</span></li>`)}</ul>`,
};
