import { allOf, type FactLayouts, type FactWords, type Thing } from "./facts.ts";
import { escaped as e } from "./random.ts";

const inRow = (row: string) => (thing: Thing) =>
  allOf(thing, (f) => row.replaceAll("LABEL", f.label).replaceAll("VALUE", e(f.written)));

/** Written before any rule was, in languages that no other made page has. No rule is written beside them. */
export const FACT_LAYOUTS_ABROAD: FactLayouts = {
  dashedItems: (thing) => `<ul class="data">${inRow("<li><b>LABEL</b> — VALUE</li>")(thing)}</ul>`,
  hyphenLines: (thing) => `<p>${thing.facts.map((f) => `${f.label} - ${e(f.written)}`).join("<br>\n")}</p>`,
  grid: inRow(`<div class="row"><div class="col-4">LABEL</div><div class="col-8">VALUE</div></div>`),
  flat: (thing) => `<div class="specs">${inRow("<div>LABEL</div><div>VALUE</div>")(thing)}</div>`,
  headRow: (thing) =>
    `<table><thead><tr>${inRow("<th>LABEL</th>")(thing)}</tr></thead><tbody><tr>${inRow("<td>VALUE</td>")(thing)}</tr></tbody></table>`,
  headedText: (thing) => `<section>${inRow("<div><h5>LABEL</h5>VALUE</div>")(thing)}</section>`,
  spanLines: inRow(`<p><span class="lbl">LABEL</span> VALUE</p>`),
  barred: (thing) => `<p>${thing.facts.map((f) => `${f.label}: ${e(f.written)}`).join(" | ")}</p>`,
  groupedTerms: (thing) => `<dl>${inRow("<div><dt>LABEL</dt><dd><span>VALUE</span></dd></div>")(thing)}</dl>`,
  strongBreaks: (thing) =>
    `<p>${thing.facts.map((f) => `<strong>${f.label}</strong><br>${e(f.written)}`).join("<br><br>")}</p>`,
};

export const FACT_WORDS_ABROAD: FactWords = {
  labels: {
    date: { it: "Data", nl: "Datum", pt: "Data", sv: "Datum", pl: "Data" },
    venue: { it: "Luogo", nl: "Locatie", pt: "Local", sv: "Plats", pl: "Miejsce" },
    price: { it: "Prezzo", nl: "Prijs", pt: "Preço", sv: "Pris", pl: "Cena" },
    company: { it: "Azienda", nl: "Bedrijf", pt: "Empresa", sv: "Företag", pl: "Firma" },
    location: { it: "Sede", nl: "Standplaats", pt: "Localização", sv: "Ort", pl: "Lokalizacja" },
    salary: { it: "Stipendio", nl: "Salaris", pt: "Salário", sv: "Lön", pl: "Wynagrodzenie" },
    servings: { it: "Porzioni", nl: "Porties", pt: "Porções", sv: "Portioner", pl: "Porcje" },
    cookTime: {
      it: "Tempo di cottura",
      nl: "Kooktijd",
      pt: "Tempo de cozimento",
      sv: "Tillagningstid",
      pl: "Czas gotowania",
    },
    phone: { it: "Telefono", nl: "Telefoon", pt: "Telefone", sv: "Telefon", pl: "Telefon" },
    email: { it: "E-mail", nl: "E-mailadres", pt: "E-mail", sv: "E-post", pl: "E-mail" },
    address: { it: "Indirizzo", nl: "Adres", pt: "Endereço", sv: "Adress", pl: "Adres" },
  },
  months: {
    it: ["marzo", "maggio", "settembre", "novembre"],
    nl: ["maart", "mei", "september", "november"],
    pt: ["março", "maio", "setembro", "novembro"],
    sv: ["mars", "maj", "september", "november"],
    pl: ["marca", "maja", "września", "listopada"],
  },
  titles: {
    event: {
      it: ["Notte dei cantieri", "Sagra del fiume"],
      nl: ["Nacht van de werven", "Koordag aan de vaart"],
      pt: ["Noite das oficinas", "Festa da barca"],
      sv: ["Verkstädernas natt", "Körfest vid ån"],
      pl: ["Noc warsztatów", "Święto chórów"],
    },
    job: {
      it: ["Restauratrice di libri", "Meccanico di barche"],
      nl: ["Sluiswachter", "Boekbinder"],
      pt: ["Encadernadora", "Mestre de obras"],
      sv: ["Båtbyggare", "Bokbindare"],
      pl: ["Introligatorka", "Szkutnik"],
    },
    recipe: {
      it: ["Zuppa di farro", "Crostata di prugne"],
      nl: ["Gerstsoep met prei", "Pruimentaart"],
      pt: ["Sopa de cevada", "Broa de centeio"],
      sv: ["Kornsoppa", "Plommonkaka"],
      pl: ["Krupnik z porem", "Knedle ze śliwkami"],
    },
    contact: {
      it: ["Officina del porto", "Archivio della valle"],
      nl: ["Werkplaats aan de kade", "Archief van de polder"],
      pt: ["Oficina do cais", "Arquivo da ribeira"],
      sv: ["Verkstan vid hamnen", "Arkivet i dalen"],
      pl: ["Warsztat przy porcie", "Archiwum nad Wartą"],
    },
  },
  texts: {
    it: "Le porte le tiene aperte chi abita qui da anni, e ne racconta volentieri la storia a chi passa.",
    nl: "De deuren worden opengehouden door mensen uit de buurt, die er al jaren met plezier over vertellen.",
    pt: "As portas são abertas por gente do bairro, que o faz há muitos anos e gosta de contar como foi.",
    sv: "Dörrarna hålls öppna av folk från kvarteret, som har gjort det i många år och gärna berättar om det.",
    pl: "Drzwi otwierają ludzie z okolicy, którzy robią to od lat i chętnie o tym opowiadają każdemu gościowi.",
  },
  places: [
    "Rimessa Vecchia, Chioggia",
    "Loods Zes, Harlingen",
    "Armazém Doze, Aveiro",
    "Magasin Fyra, Kalmar",
    "Hala Stara, Gniezno",
  ],
  companies: ["Cantieri Zorzi", "De Vries BV", "Oficinas Prata", "Lindqvist AB", "Zakład Nowicki"],
  streets: [
    "Via delle Reti 12, 30015 Chioggia",
    "Kade 4, 8861 BC Harlingen",
    "Rua do Sal 31, 3800-200 Aveiro",
    "Skeppsbron 7, 392 31 Kalmar",
    "ul. Rybna 18, 62-200 Gniezno",
  ],
  phones: ["+39 041 555 0142", "+31 517 555 018", "+351 234 555 019", "+46 480 555 01", "+48 61 555 01 23"],
  of: ["pt"],
  money: (language, amount) =>
    language === "sv"
      ? `${amount.toLocaleString("fr").replaceAll(/[\u00a0\u202f]/gu, " ")} kr`
      : language === "pl"
        ? `${amount.toLocaleString("fr").replaceAll(/[\u00a0\u202f]/gu, " ")} zł`
        : `€ ${amount.toLocaleString("de")}`,
};
