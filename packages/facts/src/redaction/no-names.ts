import type { Span } from "./span.ts";

/**
 * Cuts trailing capitalised words that are not part of the name, and drops names of which nothing is left.
 */
export function realNames(text: string, names: readonly Span[]): readonly Span[] {
  return names.flatMap((name) => {
    const { start, end } = name;
    const words = text.slice(start, end);
    if (isNoName(words)) return [];
    const behind = name.entity === "PERSON" ? trailingLength(words) : 0;
    if (behind === 0) return [name];
    const rest = text.slice(start, end - behind);
    return rest === "" || isNoName(rest) ? [] : [{ ...name, end: end - behind }];
  });
}

/** Page vocabulary, product makers, languages and the like, in places where a name could stand. */
function isNoName(words: string): boolean {
  const lower = words.toLowerCase();
  return isDemonym(words) || MAKER.test(lower) || lower.split(" ").every((word) => WORDS.has(word));
}

/** Length of trailing words for professions and kinds of groups. */
function trailingLength(words: string): number {
  let end = words.length;
  for (let space = words.lastIndexOf(" "); space >= 0; space = words.lastIndexOf(" ", space - 1)) {
    if (!TRAILING.has(words.slice(space + 1, end).toLowerCase())) break;
    end = space;
    if (space === 0) break;
  }
  return words.length - end;
}

const TRAILING: ReadonlySet<string> = new Set(
  `administrative senior junior chief vice general managing consultant coordinator manager director analyst engineer
  assistant associate orchestra band foundation award quartet trio`.split(/\s+/),
);

/** Names of makers; the word after them is a product. Makers with a person's name are excluded. */
const MAKER =
  /^(?:adobe|airbus|amazon|android|apache|bose|canon|cisco|docker|facebook|github|gitlab|google|groupon|ibm|instagram|intel|kodak|kubernetes|lenovo|linkedin|linux|mastercard|microsoft|mozilla|netflix|nokia|nvidia|oracle|panasonic|paypal|pinterest|samsung|sony|spotify|tiktok|twitter|ubuntu|whatsapp|wordpress|youtube)(?: |$)/;

/** Labels of form fields, words that begin sentences, days, short months, currencies, celestial bodies. */
const WORDS: ReadonlySet<string> = new Set(
  `city town village place street address country state region location zip name role title position department team
  ville lieu rue adresse pays région nom prénom fonction poste ort stadt straße land anschrift rolle funktion abteilung
  lugar calle dirección país nombre apellido cargo puesto città luogo via indirizzo paese nome cognome ruolo
  plaats stad straat adres naam voornaam achternaam rol functie miasto ulica kraj imię nazwisko cidade rua endereço sobrenome
  handelsregister amtsgericht hrb hra ust-idnr siret siren kvk btw vat
  bearer basic digest authorization content-type host user-agent cookie
  can i wel sindsdien vari fax tel mobile phone email mail web
  monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
  lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado
  lunedì martedì mercoledì giovedì venerdì domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
  jan feb mar apr jun jul aug sep sept oct nov dec okt dez usd eur gbp chf jpy mio mrd
  mercury venus earth jupiter saturn uranus neptune pluto sun moon merkur erde neptun mond sonne lune soleil
  ceo ceos cto cfo pdf faq url html css`.split(/\s+/),
);

/** Words for nationalities and continents, which English capitalises like place names. */
const DEMONYM =
  /^(?:African|American|Argentine(?:an|ian)?|Asian|Australian|Austrian|Belgian|Brazilian|British|Canadian|Catalan|Chilean|Chinese|Colombian|Croatian|Cuban|Czech|Danish|Dutch|Egyptian|English|European|Filipino|Finnish|French|German|Greek|Hungarian|Indian|Indonesian|Iranian|Iraqi|Irish|Israeli|Italian|Jamaican|Japanese|Jewish|Kenyan|Korean|Lebanese|Malaysian|Mexican|Moroccan|Nigerian|Norwegian|Pakistani|Palestinian|Persian|Peruvian|Polish|Portuguese|Romanian|Russian|Saudi|Scottish|Serbian|Soviet|Spanish|Swedish|Swiss|Syrian|Thai|Turkish|Ukrainian|Vietnamese|Welsh)s?$/;

function isDemonym(name: string): boolean {
  return DEMONYM.test(name);
}
