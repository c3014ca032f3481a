/** Names of menus in the most common languages of web pages. */
const MENU =
  /(?<!\p{L})(?:menus?|men[uùú]|food (?:menu|& drinks?)|speisekarte|getränkekarte|karte|carte|la carte|carta|cardápio|menukaart|spijskaart|meny|jídelní lístek|jedálny lístok|étlap|ruokalista|menükarte|меню|κατάλογος|תפריט|قائمة(?: الطعام)?)(?!\p{L})|メニュー|お品書き|菜单|菜單|메뉴|เมนู/iu;

/** Beginnings of words for dishes, drinks and courses, in the same languages. */
const FOOD =
  /(?<!\p{L})(?:starters?|appeti[sz]ers?|antipast|entr[ée]e|vorspeise|entrantes|entradas|mains?(?: courses?)?|hauptgericht|hauptspeise|plats?(?!\p{L})|primi|secondi|contorni|postre|dessert|dolci|nachspeise|nachtisch|sobremesa|sides?(?!\p{L})|beilage|drinks?|beverage|getränk|boissons?|bebida|bevande|breakfast|frühstück|petit.d[ée]jeuner|desayuno|colazione|lunch|dinner|brunch|burger|sandwich|wrap|pizz|pasta|spaghetti|tagliatelle|ravioli|lasagn|gnocchi|risotto|salad|salat|ensalada|insalata|soup|suppe|soupe|sopa|zuppa|steak|chicken|hähnchen|poulet|pollo|frango|beef|rind|boeuf|bœuf|manzo|ternera|res(?!\p{L})|pork|schwein|porc|maiale|cerdo|lamb|lamm|agneau|fish|fisch|poisson|pescado|pesce|salmon|lachs|saumon|tuna|thunfisch|thon|shrimp|prawn|garnele|gambas|crevette|seafood|cheese|käse|fromage|queso|formaggi|egg|eier|oeuf|huevo|bacon|ham(?!\p{L})|schinken|jambon|jamón|fries|pommes|frites|patatas|potato|kartoffel|rice(?!\p{L})|reis(?!\p{L})|arroz|riso|noodle|nudel|fideos|ramen|udon|sushi|maki|nigiri|sashimi|curry|taco|burrito|quesadilla|nacho|tapas|paella|kebab|falafel|hummus|bread|brot|pain(?!\p{L})|pan(?!\p{L})|bruschetta|toast|cake|kuchen|gâteau|torta|tarte|pie(?!\p{L})|ice cream|eis(?!\p{L})|gelato|glace|helado|tiramis|brownie|pancake|waffle|crêpe|crepe|coffee|kaffee|café(?!\p{L})|caff[eè]|espresso|cappuccino|latte|tea(?!\p{L})|tee(?!\p{L})|thé(?!\p{L})|juice|saft|jus(?!\p{L})|zumo|succo|wine|wein|vin(?!\p{L})|vino|beer|bier|bière|cerveza|birra|cocktail|smoothie|shake|milkshake|lemonade|limonade|cola|water|wasser|agua|acqua|tomat|mushroom|funghi|champignon|onion|zwiebel|oignon|cebolla|garlic|knoblauch|avocado|olive|sauce|salsa|dumpling|gyoza|pho|pad thai|zupa|pierogi|polévk|guláš|gulasch|schnitzel|wurst|суп|салат|пицца|паста|десерт|напит|кофе|чай|мясо|рыба|куриц)|ラーメン|寿司|丼|定食|コーヒー|ビール|饭|飯|麵|面(?=$|\s)|汤|湯|茶|酒|밥|국수|찌개|커피/iu;

const DIETS: readonly (readonly [diet: string, words: RegExp])[] = [
  ["vegan", /(?<!\p{L})v[eé]g[aá]n(?!i?[sz]m)/iu],
  ["vegetarian", /(?<!\p{L})v[eé]g[eé]tari|(?<!\p{L})vegetarisch/iu],
  ["gluten-free", /gluten[- ]?free|glutenfrei|sans gluten|sin gluten|senza glutine|sem glúten/iu],
  ["dairy-free", /dairy[- ]?free|lactose[- ]?free|laktosefrei|sans lactose|sin lactosa|senza lattosio/iu],
  ["halal", /(?<!\p{L})halal/iu],
  ["kosher", /(?<!\p{L})kosher|(?<!\p{L})koscher/iu],
];

export function namesMenu(text: string): boolean {
  return MENU.test(text);
}

export function namesFood(text: string): boolean {
  return FOOD.test(text);
}

/** The first food word in a text, in lower case. */
export function foodIn(text: string): string | undefined {
  return FOOD.exec(text)?.[0].toLowerCase();
}

/** A title without the words for a menu and without separators. */
export function withoutMenuWords(text: string): string {
  return text
    .replace(new RegExp(MENU.source, "giu"), "")
    .replace(/^[\s|–—:·-]+|[\s|–—:·-]+$/gu, "")
    .replace(/\s+/g, " ");
}

/** Diets named in a text. */
export function dietsIn(text: string): readonly string[] {
  return DIETS.filter(([, words]) => words.test(text)).map(([diet]) => diet);
}

/** In kilocalories. */
export function caloriesIn(text: string): number | undefined {
  const digits = /(\d{1,5})\s?(?:kcal|calories|cals?)(?!\p{L})/iu.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
