import { matchAt } from "./match-at.ts";
import type { Span } from "./span.ts";

/** Street words after the name: "Elm Street". */
const STREET_ENDINGS =
  "Street St Avenue Ave Av Road Rd Lane Ln Drive Dr Court Ct Boulevard Blvd Way Place Pl Square Sq Terrace Terr Parkway Pkwy Highway Hwy Mews Close Crescent Cres Trail Trl Loop Row Circle Cir Alley Walk View Plaza Plz Path Pass Pike Turnpike Expressway Freeway Motorway Bypass Gardens Green Grove Heights Hill Hills Park Parade Ridge Rise Run Quay Wharf Yard Village Villages Island Islands Isle Inlet Junction Junctions Key Keys Knoll Knolls Lake Lakes Land Landing Light Lights Locks Lodge Manor Manors Meadow Meadows Mill Mills Mission Mount Mountain Mountains Neck Orchard Oval Overpass Passage Pine Pines Plain Plains Point Points Port Ports Prairie Radial Ramp Ranch Rapid Rapids Rest River Shoal Shoals Shore Shores Skyway Spring Springs Spur Spurs Squares Station Stravenue Stream Streets Summit Throughway Trace Track Trafficway Tunnel Underpass Union Unions Valley Valleys Via Viaduct Views Ville Vista Walks Wall Ways Well Wells Branch Bridge Brook Brooks Burg Burgs Camp Canyon Cape Causeway Center Centers Circles Cliff Cliffs Club Common Commons Corner Corners Course Courts Cove Coves Creek Crest Crossing Crossroad Curve Dale Dam Divide Drives Estate Estates Extension Extensions Fall Falls Ferry Field Fields Flat Flats Ford Fords Forest Forge Forges Fork Forks Fort Garden Gateway Glen Glens Greens Groves Harbor Harbors Haven Hollow Islands gate gata vägen gatan vei veien vej gade katu tie tänav utca tér út körút ulica ulice cesta caddesi sokak";

/** Street suffixes within one word: "Lindenstraße", "Damrak". */
const STREET_SUFFIXES =
  "straße strasse str. weg platz allee gasse ring damm ufer chaussee steig stieg stig graben markt hof laan straat plein gracht kade dijk pad steeg singel baan dreef hof plantsoen park gatan gata vägen väg gränd gate veien vei gaten gade vej stræde alle katu tie kuja polku utca tér";

/** Street words before the name: "Rue de la Paix", "Calle Mayor". */
const STREET_BEGINNINGS =
  "rue avenue boulevard bd chemin place impasse allée allées quai cours route passage sentier square esplanade Rue Avenue Boulevard Chemin Place Impasse Allée Quai Cours Route Calle C/ Cl. Avenida Avda. Av. Paseo Plaza Pza. Ronda Camino Carretera Glorieta Pasadizo Cuesta Urbanización Vial Acceso Alameda Callejón Rambla Pasaje Cañada Vía Travesía Via Viale Piazza Piazzale Piazzetta Corso Vicolo Largo Strada Contrada Rotonda Borgo Stretto Canale Incrocio Lungomare Salita Rua Travessa Rodovia Praça Estrada Alameda Beco Avenida Viela Loteamento Quadra Esplanada Parque Vila Morro ul. ulica al. aleja pl. plac os. osiedle";

/** Parts of a building. */
const UNITS =
  "Apt Apt. Apartment Suite Ste Unit Floor Fl Room Rm Box P.O. PO Flat Building Bldg Level Puerta Piso Planta Esc. Escalera Apartamento Appartamento Interno Int. Scala Piano Bâtiment Bât. Étage Appt Wohnung Etage Stock OG Hinterhaus Haus Top bus Conjunto Bloco Sala m. lok.";

const any = (words: string) =>
  [...new Set(words.split(" "))]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|");

/** Bounded, so that one endless word does not take endless time. */
const NAME = "(?:'[ts] )?\\p{Lu}[\\p{L}'’.-]{0,40}";
const LINKING =
  "(?:de|du|des|d'|la|le|les|del|della|dei|di|da|do|dos|das|den|der|van|von|ter|ten|of|the|aan|bij|op|in|sur|y|e|et|en|und|zu|zum|zur|l')(?!\\p{L})";
/** Words of a name; the last one is capitalised. */
const NAMES = `(?:(?:${NAME}|${LINKING}) |[dl]'){0,5}${NAME}`;
const HOUSE = "\\d{1,6}(?: ?[a-zA-Z](?!\\p{L}))?(?:[-/]\\d{1,5}[a-zA-Z]?)?";
/** Too short to be a postal code. */
const SHORT_HOUSE = "\\d{1,4}(?!\\d)(?: ?[a-zA-Z](?!\\p{L}))?(?:[-/]\\d{1,5}[a-zA-Z]?)?";
const WORDS = `(?:(?:${NAME}|\\d{1,3}(?:st|nd|rd|th)|${LINKING})[ -]){1,5}?`;
const UNIT = `(?:${any(UNITS)}|#)\\.? ?\\d`;
const TOWN_OF_STATE = `(?:${NAME} ){0,3}${NAME},? [A-Z]{2} \\d{5}`;

/** The start of an address; the rest is matched from there. */
interface Anchor {
  /** A cheap pattern that every text with this anchor matches. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
}

const NOT_BEFORE = "(?<![\\p{L}\\p{N}_/.-])";
const NUMBER_START = new RegExp(`${NOT_BEFORE}\\d(?=[\\da-zA-Z/,-]{0,16} )`, "gu");

/** Anchors that begin with a number, tried at each number. One line per format. */
const NUMBERED: readonly RegExp[] = [
  // 12 Elm Street; 704 1436 Redbud Drive
  `(?:${HOUSE},? ){1,2}${WORDS}(?:${any(STREET_ENDINGS)})s?\\b\\.?(?: \\d{1,5}[a-zA-Z]?(?![\\d\\p{L}]))?`,
  // 12 Manuel Loaf Suite 844; 12 Manuel Loaf, Kyleville, ME 85433
  `(?:\\d{1,6} ){1,2}(?:${NAME} ){0,3}${NAME}(?: \\d{1,5})?(?=,?\\s+(?:${UNIT}|${TOWN_OF_STATE}))`,
  // 3421 Fagradalsbraut 71
  `(?:\\d{1,6} ){1,2}(?:${NAME} ){0,3}${NAME} \\d{1,5}(?=\\s*[,\\n])`,
  // 12, rue de la Paix
  `${HOUSE},? (?:bis |ter )?(?:${any(STREET_BEGINNINGS)}) ${NAMES}`,
].map((source) => new RegExp(source, "uy"));

const BEGINNING = new RegExp(`(?<!\\p{L})(?:${any(STREET_BEGINNINGS)}) ?\\p{L}[^\\n]{0,120}\\d`, "u");
const SUFFIXES = `(?:${any(STREET_SUFFIXES)}|Straße|Strasse|Str\\.|Weg|Platz|Allee|Gasse|Ring|Damm|Ufer) `;
const BOXES =
  "(?:Box|Postfach|Apartado(?: de Correos)?|Casella Postale|Postbus|BP|Boîte postale|Caixa Postal|Skrytka pocztowa) \\d";

/** Other anchors. One line per format. */
const ANCHORS: readonly Anchor[] = (
  [
    // rue de la Paix, 75002 Paris
    [BEGINNING, `(?:${any(STREET_BEGINNINGS)}) ${NAMES}(?=,?\\s+\\d{5} \\p{Lu})`],
    // Calle Mayor 9; Via Roma, 96
    [BEGINNING, `(?:${any(STREET_BEGINNINGS)}) ?${NAMES},? ?(?:n[.°º]? ?)?${SHORT_HOUSE}`],
    // Lindenstraße 5; Aysel-Nohlmans-Gasse 33/51
    [
      new RegExp(`${SUFFIXES}\\d`, "u"),
      `(?:\\d{1,6} )?(?:${NAME}(?: ${NAME})? ?-?)?(?<=[\\p{L}-])${SUFFIXES}${HOUSE}(?![\\p{L}\\d])`,
    ],
    // Am Markt 5, 04109 Leipzig
    [
      /\d{4,5} \p{Lu}/u,
      `(?:Am|An de[rnm]|Auf de[rm]|Im|In de[rn]|Zu[mr]|Alte[rs]?|Neue[rs]?|Unter den|Obere|Untere) ${NAME}(?: ${NAME})? ${SHORT_HOUSE}(?=,?\\s+(?:[A-Z]{1,2}-)?\\d{4,5} \\p{Lu})`,
    ],
    // Box 1234; PSC 1234, Box 9168; Unit 1009 Box 0219; PO Box 12
    [new RegExp(BOXES, "u"), `(?:(?:PSC|Unit|CMR) \\d{3,5},? )?(?:P\\.? ?O\\.? ?)?${BOXES}{1,6}`],
    // USS Glenn (line break) FPO AA 50681
    [/FPO /, `(?:USS|USNV|USNS|USCGC) ${NAME}(?=,?\\s+FPO )`],
    // the corner of Elm Street and Oak Avenue
    [/the corner of /, `the corner of ${NAMES}(?: \\d{1,5})? and (?:\\d{1,5} )?${NAMES}(?: \\d{1,5})?`],
    // Springfield, IL 62704; North Austinbury, PA 04443
    [/[A-Z]{2} \d{5}/, `${TOWN_OF_STATE}(?:-\\d{4})?(?!\\d)`],
    // a postal code after a label
    [/code(?: is|:)? {1,3}\d/, `(?<=\\b(?:zip|postal|post) ?code(?: is|:)? {1,3})\\d{4,6}(?!\\d)`],
    // SW1A 1AA
    [/\d[ABD-HJLNP-UW-Z]{2}/, `(?<![A-Z\\d-])[A-Z]{1,2}\\d[A-Z\\d]? \\d[ABD-HJLNP-UW-Z]{2}(?![\\p{L}\\d-])`],
  ] as const
).map(([sign, source]) => ({ sign, pattern: new RegExp(`${NOT_BEFORE}${source}`, "gu") }));

/** Parts that continue an address after a comma, a space or a line break, in this order. */
const PARTS: readonly RegExp[] = [
  `(?:${any(UNITS)}|#)\\.? ?(?:Box )?[\\dA-Z][\\w/-]{0,6}(?![\\p{L}])`,
  `(?:[A-Z]{1,3}-)?(?:\\d{4} ?[A-Z]{2}(?!\\p{L})|\\d{4,6}(?:-\\d{3,4})?)(?: ${NAME}(?:[ -](?:${NAME}|${LINKING}(?= ${NAME}))){0,4})?(?: \\([A-Z]{2}\\))?(?!\\d)`,
  `(?:${NAME}[ -]){0,4}${NAME},? (?:[A-Z]{2,3} )?\\d{4,6}(?:-\\d{3,4})?(?!\\d)`,
  `[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}(?![\\p{L}\\d])`,
  `(?:[FD]PO|APO) [A-Z]{2} \\d{5}`,
  `[A-Z]{2,3} \\d{4,6}(?!\\d)`,
  `nan(?=\\s)`,
  `[A-Z]{2,3}(?=\\s*(?:\\n|$|\\d))`,
].map((source) => new RegExp(source, "uy"));

/** Place names continue an address after a comma, or on a line of their own. */
const PLACE = new RegExp(`(?:(?:${NAME}|${LINKING})[ -]){0,4}${NAME}(?: \\([\\p{L} ]{2,20}\\))?`, "uy");
const BETWEEN = /(?:[ \t]*,[ \t]*\n?[ \t]*|[ \t]*\n{1,2}[ \t]*(?:,[ \t]*)?|[ \t]+)/y;

/** Maximum parts after the street. */
const MAX_PARTS = 6;

export function addresses(text: string): readonly Span[] {
  const spans: Span[] = [];
  const add = (index: number, value: string) => {
    if (isDate(value)) return;
    spans.push({ start: index, end: endOfAddress(text, index + value.length), entity: "LOCATION" });
  };
  const numbers = [...text.matchAll(NUMBER_START)].map(({ index }) => index);
  for (const pattern of NUMBERED) {
    let end = 0;
    for (const index of numbers) {
      const value = index < end ? undefined : matchAt(pattern, text, index)?.[0];
      if (value === undefined) continue;
      end = index + value.length;
      add(index, value);
    }
  }
  for (const { sign, pattern } of ANCHORS) {
    if (sign.test(text)) for (const { index, 0: value } of text.matchAll(pattern)) add(index, value);
  }
  return longestFirst(spans);
}

/** Of overlapping anchors, the longest comes first. */
function longestFirst(spans: readonly Span[]): readonly Span[] {
  return [...spans].sort((a, b) => b.end - b.start - (a.end - a.start));
}

/** Years in dates look like house numbers: "2019 Winter Games 2021", "4 May 1980". */
function isDate(value: string): boolean {
  return / (?:1[0-9]|20)\d\d$/.test(value) && /^(?:(?:19|20)\d\d |\d{1,2} \p{L}+ \d+$)/u.test(value);
}

function endOfAddress(text: string, from: number): number {
  let end = from;
  for (let count = 0; count < MAX_PARTS; count++) {
    const next = endOfPart(text, end);
    if (next === undefined) break;
    end = next;
  }
  return end;
}

function endOfPart(text: string, end: number): number | undefined {
  const between = matchAt(BETWEEN, text, end)?.[0];
  if (!between) return undefined;
  const start = end + between.length;
  for (const part of PARTS) {
    const value = matchAt(part, text, start)?.[0];
    if (value !== undefined) return start + value.length;
  }
  const isOwnLine = between.includes("\n");
  const place = isOwnLine || between.includes(",") ? matchAt(PLACE, text, start)?.[0] : undefined;
  if (place === undefined) return undefined;
  const behind = text.slice(start + place.length, start + place.length + 3);
  // A line that continues or is a label is not part of the address above.
  const isEnded = isOwnLine
    ? /^[ \t]*(?:\n|$|,)/.test(behind)
    : /^[ \t]*(?:[\n,.)|;]|$)/.test(behind) || /^ \d/.test(behind);
  return isEnded ? start + place.length : undefined;
}
