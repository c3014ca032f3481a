import type { Span } from "./span.ts";

const words = (list: string) => list.trim().split(/\s+/).join("|");

/**
 * Words for places before their name, in languages that write them in lower case: `mer Méditerranée`, `parco
 * nazionale di Doñana`.
 */
const KINDS_BEFORE = words(`
  mer océan golfe détroit baie lac étang rivière fleuve vallée mont montagne col pic massif île îles presqu'île archipel
  cap pointe plage forêt désert plateau château palais musée cathédrale basilique abbaye église chapelle couvent prieuré
  monastère tour pont gare aéroport stade théâtre district canton province département région comté
  duché royaume commune quartier arrondissement
  mar océano golfo estrecho bahía lago laguna río valle monte montaña sierra cerro pico volcán isla islas península
  archipiélago cabo playa bosque desierto castillo palacio museo catedral basílica abadía iglesia capilla convento
  monasterio torre puente plaza estación aeropuerto puerto estadio teatro distrito provincia región condado ducado reino
  municipio barrio
  oceano stretto baia fiume isola isole penisola arcipelago capo spiaggia foresta deserto castello palazzo duomo cattedrale
  basilica abbazia chiesa cappella monastero ponte piazza stazione porto stadio distretto regione contea ducato regno
  comune quartiere rio ilha ilhas serra praia castelo museu igreja
  stadion station kasteel provincie gemeente eiland eilanden rivier
`);
const ADJECTIVES = words(
  "national nationale nacional nazionale naturel naturale natural royal royale real reale",
);
const LINKS =
  "(?:(?:de la|de las|de los|de l['’] ?|de|du|des|del|della|delle|dello|dell['’] ?|dei|di|da|do|dos|das|d['’] ?|van de|van der|van den|van) ?)";
/** Excludes Roman numerals of centuries and kings. */
const CAPITAL = "(?![IVXLC]+(?![\\p{L}]))\\p{Lu}[\\p{L}\\p{M}’']+(?:-\\p{L}[\\p{L}\\p{M}]*)*";
const BEFORE = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}_-])(?:parc|parco|parque|park|${KINDS_BEFORE})(?: (?:${ADJECTIVES}))? ${LINKS}?${CAPITAL}(?: ${LINKS}?${CAPITAL}){0,3}`,
  "gu",
);

/** Words for places after their name. */
const KINDS_BEHIND = words(`
  River Lake Creek Falls Bay Gulf Sea Ocean Strait Island Islands Isle Peninsula Cape Beach Coast Mountain Mountains Hills
  Peak Valley Desert Forest Park Gardens Castle Palace Manor Abbey Cathedral Church Chapel Monastery Priory Museum Gallery
  Library Theatre Theater Stadium Arena Hall Tower Bridge Square Station Airport Harbour Harbor Hotel Hospital Cemetery
  County Province Borough Resort Plaza
`);
const BEHIND = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}_.-])(?:${CAPITAL} (?:(?:of|and|de|la) )?){1,4}(?:${KINDS_BEHIND})(?![\\p{L}\\p{M}-])`,
  "gu",
);

/** Landmarks and regions: a word for the kind of place next to a name. */
export function landmarks(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: value, index } of text.matchAll(BEFORE))
    spans.push({ start: index, end: index + value.length, entity: "LOCATION" });
  for (const { 0: value, index } of text.matchAll(BEHIND))
    spans.push({ start: index, end: index + value.length, entity: "LOCATION" });
  return spans;
}
