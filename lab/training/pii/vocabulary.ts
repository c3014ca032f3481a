// Words that made texts are put together from, by language where they differ.
export const MONTHS: Readonly<Record<string, string>> = {
  en: "January March May July October",
  de: "Januar März Mai Juli Oktober",
  fr: "janvier mars mai juillet octobre",
  es: "enero marzo mayo julio octubre",
  it: "gennaio marzo maggio luglio ottobre",
  nl: "januari maart mei juli oktober",
  pl: "stycznia marca maja",
  pt: "janeiro março maio",
};
export const PARTICLES: Readonly<Record<string, readonly string[]>> = {
  nl: ["van", "van der", "de", "van den", "ten"],
  de: ["von", "zu"],
  fr: ["de", "Le", "du"],
  es: ["de", "de la", "del"],
  it: ["di", "De", "Del"],
  pt: ["da", "dos", "de"],
  en: ["O'", "Mc", "van", "de"],
};
export const ROMAN = ["I", "II", "III", "IV", "V", "VI", "XIV"];
export const COMPANY =
  "Systems Group Foundation Institute Records Motors Bank Airlines Press Consulting Party Committee Association Council Museum Orchestra Championship League Cup Festival Airport Company Corporation Union Army Agency Times Post Review Journal College School Academy".split(
    " ",
  );
export const INDUSTRY =
  "Global United Royal National International First General New Blue Northern Great Advanced Modern Free Grand Central".split(
    " ",
  );
export const CLUB = "FC SC AC AS SV VfB TSV Real Racing Sporting Dynamo Olympique".split(" ");
export const BRANDS =
  "Microsoft Google Apple Amazon Siemens Volkswagen Toyota Samsung NASA NATO UNESCO BBC CNN IBM SAP Airbus Boeing Ferrari Ajax Juventus Arsenal Netflix Disney Metallica Nirvana Facebook Twitter Wikipedia Nestlé Bosch Renault Fiat Philips Shell Unilever Nike Adidas Lufthansa UEFA FIFA".split(
    " ",
  );
export const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  en: [
    "ville",
    "ton",
    "bury",
    "mouth",
    "land",
    "side",
    "view",
    "port",
    "chester",
    "haven",
    "stad",
    "burgh",
    "borough",
    "town",
    "fort",
    "shire",
    "furt",
  ],
  fr: ["-sur-Mer", "-les-Bains", "-la-Forêt", "dan", "nec", "-sur-Loire", "ville", "boeuf"],
};

export const LANDMARKS: Readonly<Record<string, readonly string[]>> = {
  en: "S River|Lake S|Mount S|S Bridge|S Hall|S Park|S Square|S Street|County C|C County|C International Airport|Isle of S|S Island|Upper C|Lower C|S House|S Valley|Castle S|C Cathedral|North C|S Center|S Stadium|S Gardens|S High Line|Art Institute of C|Museum of C|National Gallery of N|S World Resort|S Skerries|Calf of S|S Hotel|S Theatre|Port of C|Bay of C|Gulf of C|Cape S|Fort S|S Falls|S Creek|S Beach|S Peninsula|S County|Borough of C|St Margaret's S|Mount S|S Peak|S Desert|Straits of S|Old C|Greater C|Republic of C|Province of C|C Bay".split(
    "|",
  ),
  de: "Schloss S|Burg S|S-Brücke|Landkreis C|Flughafen C|Bezirk C|C-Ost|Ober-C|Sberg|Sdorf|Shausen|Fluss S|See von C|Bucht von C|Stadtteil S|Friedhof von C|Bistum C|Republik C|Insel S|Dom zu C|Museum S|Platz S|Wall von C|C-Nord|Groß C|Klein C|Bad C|Sgebirge|Stal|Sheim|Sstadt|Singen|Sow|Sitz".split(
    "|",
  ),
  fr: "mer de S|lac de S|mont S|Château de S|rue S|îles S|pont S|Saint-S|quartier S|quartier Saint-S|district de C|îles S|l'île de S|océan S|château du S|château de S|Musée de C|musée S|Pays S|Pays de C|canton de C|département de C|baie de S|forêt de S|golfe de C|province de C|Le Café S|théâtre S|Timor S|Petites S|laboratoire national de C|powiat de C|vallée de la S|Mont-S|Saint-S-de-S|Sainte-S".split(
    "|",
  ),
  es: "río S|provincia de C|sierra de S|San S|Santa S|isla de S|Puerto S|Plaza S|distrito de C|aeropuerto de C|Teatro S|calle S|Castillo de S|barrio de S|Baja C|golfo de C|estado de C|departamento de C|Museo S|Villa S|San S de C|Santa S de C|República de C|Sierra de S|valle del S|Ciudad S".split(
    "|",
  ),
  it: "provincia di C|lago di S|monte S|Castello S|Piazza S|Palazzo S|Teatro S|parco nazionale di C|isola di S|torre di S|lago S|Teatro del S|Teatro dal S|isole del S|isole S|golfo di C|Impero di C|regno di C|Villa S|via S|Porta S|San S|Santa S|Monte S|Castel S|valle del S|Val di S|Repubblica di C|frazione di C".split(
    "|",
  ),
  nl: "Sstraat|Kasteel S|provincie C|Noord-C|Sdijk|Sveen|Soord-C|Zuid-C|Oost-C|West-C|Sdorp|Shoven|Singen|Swoude|eiland S|Nieuw-C|Oud-C|Kerk van C|Paleis S|Smeer|gemeente C|rivier de S".split(
    "|",
  ),
};
export const CAPITAL_WORDS =
  "American French German Italian Spanish Dutch British Russian Chinese Japanese Christian Catholic Jewish Muslim Roman Greek Olympic English Renaissance Internet Olympics Christmas Easter Bible Earth Sunday Monday Friday June December".split(
    " ",
  );
