import { labelKey, labelWords } from "./words.ts";

/**
 * Concepts of schema properties and page labels, with their names: one line per concept. Names are folded as
 * by `labelKey`.
 */
const NAMES = {
  title:
    "title, name, headline, heading, titel, titre, titulo, titolo, nom, nombre, nome, название, 标题, 名称, タイトル",
  author:
    "author, writer, written by, by, byline, creator, contributor, reporter, journalist, autor, auteur, autore, verfasser, von, par, por, автор, 作者, 著者, posted by, author name, dc creator, skribent, forfatter, forfattare, kirjoittaja, yazar",
  publisher:
    "publisher, published by, imprint, publishing house, publisher name, verlag, editeur, editorial, editora, editore, uitgever, wydawnictwo, издательство, 出版社, 出版者, forlag, kustantaja, wydawca, nakladatelstvi, yayinevi",
  published:
    "date published, published, published date, publication date, publish date, published at, published on, published time, pub date, date of publication, release date, released, date released, date posted, posted, posted on, posted at, post date, posting date, created at, created, date created, uploaded, upload date, issued, date issued, veroffentlicht, erscheinungsdatum, erschienen, date de publication, date de parution, parution, fecha de publicacion, data de publicacao, data di pubblicazione, publicatiedatum, data wydania, дата выхода, 出版日期, 発売日, article published time, date, publication year, year published, published year, year, fecha, datum, pvm, tarih, dato, publicerad, publiceret, publisert, julkaistu, opublikowano, zverejneno",
  modified:
    "date modified, modified, last modified, updated, last updated, updated at, date updated, aktualisiert, mis a jour",
  price:
    "price, current price, sale price, our price, selling price, offer price, price amount, amount, cost, final price, price now, price value, preis, prix, precio, preco, prezzo, prij, cena, цена, 价格, 価格, 値段, pris, hinta, fiyat, pret, prijs",
  originalPrice:
    "original price, list price, regular price, old price, price before, previous price, rrp, msrp, uvp, full price",
  currency: "currency, price currency, currency code, wahrung, devise, moneda, waluta",
  inStock:
    "in stock, is in stock, available, is available, availability, stock, stock status, verfugbarkeit, disponibilite, disponibilidad",
  soldOut: "sold out, is sold out, out of stock, is out of stock",
  brand:
    "brand, brand name, manufacturer, maker, make, manufacturer name, marke, hersteller, marque, marca, vendor",
  sku: "sku, item number, item no, article number, product code, product id, product number, model number, mpn, artikelnummer, reference",
  isbn13: "isbn 13, isbn13, ean, gtin, gtin13, barcode, ean code",
  isbn: "isbn, isbn number",
  isbn10: "isbn 10, isbn10",
  rating:
    "rating, rating value, average rating, star, star rating, review score, score, stars, aggregate rating, bewertung, note",
  ratingCount:
    "review count, rating count, number of review, number of rating, total review, review total, reviews count, ratings count",
  image:
    "image, image url, main image, photo, picture, thumbnail, thumbnail url, cover, cover image, cover url, og image, img, foto, bild",
  url: "url, link, page url, source url, canonical url, permalink, href, web address",
  description:
    "description, summary, about, overview, synopsis, abstract, excerpt, short description, beschreibung, descripcion, descrizione, subtitle",
  body: "body, article body, text, full text, content, article text, story text, main text",
  email:
    "email, e mail, email address, mail, contact email, correo, correo electronico, courriel, posta elettronica, e mail adresse, mail adresse, e mailadres, emailadres, epost, e post, e postadress, sahkoposti, e posta, endereco de email, indirizzo email, e mailadresse, poczta",
  phone:
    "phone, telephone, tel, phone number, telephone number, contact phone, telefon, telefono, mobile, contact number, fon, telefone, telefoon, telefoonnummer, telefonnummer, puhelin, puhelinnumero, cellulare, mobil, mobiel, gsm, numer telefonu, telefonni cislo, telefon numarasi, numero de telephone, telefonos",
  address:
    "address, street address, postal address, location address, adresse, direccion, indirizzo, endereco, anschrift, adres, adress, osoite, adresa, ulica, besoksadress, bezoekadres, domicilio, morada, postadresse",
  category:
    "category, product category, article section, section, genre, kategorie, categorie, categoria, department",
  tag: "tag, keyword, topic, label, article tag",
  language: "language, in language, sprache, langue, idioma, lingua, lang",
  pages:
    "page, page count, pages count, number of page, pages count, print length, seitenzahl, num page, paperback page, hardcover page",
  format: "format, book format, binding, cover type, edition format",
  edition: "edition, book edition, version",
  series: "series, part of series",
  company:
    "company, company name, employer, hiring organization, organization, organisation, organization name, firma, unternehmen, entreprise, empresa, azienda, ditta, societa, bedrijf, bedrijfsnaam, werkgever, firmy, pracodawca, foretag, arbetsgivare, virksomhed, arbejdsgiver, bedrift, arbeidsgiver, yritys, tyonantaja, spolecnost, zamestnavatel, sirket, isveren, empregador, datore di lavoro, arbeitgeber, employeur, empleador",
  location:
    "location, job location, place, city, ort, standort, lieu, ubicacion, localita, venue, venue name, lugar, ubicacion, luogo, sede, local, plaats, locatie, veranstaltungsort, arbeitsort, einsatzort, miejsce, plats, sted, paikka, sijainti, misto, lokalita, lokalizacja, konum, localizacao, localizacion, localisation, standplaats, werklocatie, arbeidssted, arbejdssted, arbetsort, tyopaikka, luogo di lavoro, posizione, emplacement, vestiging, lieu de travail, ville, citta, ciudad, cidade, stad, kaupunki, miasto, mesto, sehir",
  salary:
    "salary, base salary, compensation, pay, salary range, gehalt, salaire, salario, wage, stipendio, retribuzione, salaris, palkka, wynagrodzenie, pensja, zarobki, mzda, maas, ucret, vencimento, remuneracao, remuneration, remuneracion, sueldo, vergutung, entgelt, loon",
  employment:
    "employment type, job type, contract type, type of employment, anstellungsart, type de contrat, tipo de contrato, dienstverband",
  ingredient:
    "ingredient, recipe ingredient, zutat, zutaten, ingrediente, ingredienten, ingredienser, ainekset, skladniki, suroviny, malzemeler, ingredientes",
  instruction: "instruction, recipe instruction, direction, method, step, preparation, zubereitung",
  prepTime:
    "prep time, preparation time, prep, vorbereitungszeit, arbeitszeit, temps de preparation, tiempo de preparacion, tempo di preparazione, tempo de preparo, voorbereidingstijd, valmistusaika, czas przygotowania, doba pripravy, hazirlama suresi, forberedelsestid, forberedningstid",
  cookTime:
    "cook time, cooking time, cook, baking time, kochzeit, backzeit, garzeit, temps de cuisson, cuisson, tiempo de coccion, coccion, tempo di cottura, cottura, tempo de cozimento, bereidingstijd, czas gotowania, kooktijd, baktijd, tillagningstid, koketid, tilberedningstid, stegetid, bagetid, kypsennysaika, paistoaika, czas pieczenia, doba vareni, doba peceni, pisirme suresi, tempo de forno, tempo di forno",
  totalTime:
    "total time, ready in, time required, gesamtzeit, temps total, tiempo total, tempo totale, tempo total, totale tijd, totaltid, samlet tid, kokonaisaika, czas calkowity, celkovy cas, toplam sure",
  serving:
    "serving, recipe yield, yield, serve, portion, portionen, portionen fur, personen, personne, pour, couvert, racion, raciones, porcion, porciones, comensal, porzione, porzioni, porcao, porcoes, personas, persona, personer, portie, porties, portioner, porsjoner, annos, annokset, porcja, porcje, porce, porsiyon, rende, rendimento, pezzi, aantal personen, antal portioner",
  calorie: "calorie, calories, energy, kcal",
  start:
    "start date, start, begin, start time, date time, event date, beginn, from, data dell evento, data inizio, inizio, data de inicio, data do evento, fecha de inicio, fecha del evento, date de debut, date de l evenement, startdatum, datum evenement, startdag, starttid, alkamisaika, data rozpoczecia, poczatek, zacatek, baslangic, veranstaltungsdatum, termin, termine",
  end: "end date, end, end time, until, ende, einde, slut, slutt, paattyy, koniec, konec, bitis, data fine, data de fim, fecha de fin",
  organizer:
    "organizer, organiser, host, organized by, veranstalter, organisateur, organizador, organizzatore, organisator, arrangor, jarjestaja, organizator, poradatel, duzenleyen",
  duration:
    "duration, length, running time, runtime, run time, dauer, duree, duracion, durata, duracao, duur, langd, varighed, kesto, czas trwania, delka",
  color: "color, colour, farbe, couleur, colore, kleur, farge, farve, farg, kolor, barva, renk",
  size: "size, grosse, taille, talla, storrelse, storlek, rozmiar, velikost, beden, tamanho, tamano, maat, misura",
  material: "material, materials, fabric, materiale, materiaal, materiaali, materyal, materiau, tessuto",
  weight:
    "weight, item weight, gewicht, poid, peso, vikt, vaegt, vekt, paino, waga, hmotnost, vaha, agirlik, peso netto",
  dimension: "dimension, product dimension, measurement, abmessung, masse",
  hour: "opening hour, hour, business hour, offnungszeit, horaire, horario, orari, orario, horarios, openingstijden, oppettider, apningstider, abningstider, aukioloajat, godziny otwarcia, oteviraci doba, horaires",
  comment: "comment, comment count, number of comment, reply, reply count",
  view: "view, view count, number of view",
  siteName: "site name, website, site, website name, source, publication name",
} as const;

export type Concept = keyof typeof NAMES;

/** Things that a page is about. Their properties count as the page's properties. */
const THINGS = new Set(
  "product book article page item job recipe event post course movie film song album story news blog document game app video podcast restaurant hotel place property listing offer main thing data result info detail information metadata meta entity object record content summary basic general core primary current full official complete entry report paper web site website".split(
    " ",
  ),
);

const CONCEPTS: ReadonlyMap<string, Concept> = new Map(
  Object.entries(NAMES).flatMap(([concept, names]) =>
    names.split(", ").map((name) => [labelKey(name), concept as Concept] as const),
  ),
);

/**
 * The concept of a property's name or a label: by all words, or by the last one if the others add nothing.
 */
export function conceptOf(label: string): Concept | undefined {
  return conceptOfWords(labelWords(label));
}

/** Words of labels that mean something else as names of properties. */
const OF_LABELS_ALONE: ReadonlyMap<string, Concept> = new Map([
  ["data", "published"],
  ["lon", "salary"],
  ["fine", "end"],
  ["fin", "end"],
  ["cor", "color"],
]);

/** The concept of a label on a page. */
export function conceptOfLabel(words: readonly string[]): Concept | undefined {
  return OF_LABELS_ALONE.get(words.join(" ")) ?? conceptOfWords(words);
}

export function conceptOfWords(words: readonly string[]): Concept | undefined {
  const known = CONCEPTS.get(words.join(" "));
  if (known !== undefined || words.length < 2) return known;
  if (THINGS.has(words[0] ?? "")) return conceptOfWords(words.slice(1));
  const last = words.at(-1) ?? "";
  if (last === "name" || last === "text" || last === "value") return ofNamed(words.slice(0, -1));
  return last === "date" || last === "url" || !THINGS.has(last)
    ? undefined
    : conceptOfWords(words.slice(0, -1));
}

/** `author name` is the author, `product name` the title, `seller name` neither. */
function ofNamed(words: readonly string[]): Concept | undefined {
  return words.every(isThing) ? "title" : conceptOfWords(words);
}

/** True if the word names what a page is about, so that it can be left out of a property's name. */
export function isThing(word: string): boolean {
  return THINGS.has(word);
}
