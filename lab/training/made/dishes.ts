/** What a kitchen writes on its card: by language the sections with dishes, `name | description`. */
export interface Kitchen {
  readonly language: string;
  readonly currency: string;
  readonly sections: readonly { readonly name: string; readonly dishes: readonly string[] }[];
  readonly names: readonly string[];
  /** What the card is called. */
  readonly card: string;
  /** What stands above and below it. */
  readonly words: readonly string[];
}

const kitchen = (
  [language, currency, card]: readonly [string, string, string],
  names: string,
  sections: readonly string[],
  words: string,
): Kitchen => ({
  language,
  currency,
  card,
  names: names.split(";"),
  words: words.split(";"),
  sections: sections.map((section) => {
    const [name = "", ...dishes] = section.split(";");
    return { name, dishes };
  }),
});

export const KITCHENS: readonly Kitchen[] = [
  kitchen(
    ["en-GB", "GBP", "Menu"],
    "The Gull & Anchor;Harrow Lane;Copper Kettle",
    [
      "Small plates;Whipped feta|honey, thyme, sourdough;Salt cod fritters|lemon mayonnaise;Charred leeks|hazelnut, romesco;Ham hock terrine|piccalilli",
      "Mains;Beer battered haddock|triple cooked chips, mushy peas;Beef cheek pie|mash, gravy;Celeriac steak|green sauce (vg);Roast hake|mussels, saffron potatoes;Lamb shoulder to share|mint, garden greens",
      "Puddings;Sticky toffee pudding|clotted cream;Lemon posset|shortbread;Cheese from the dairy|oatcakes, quince",
    ],
    "Kitchen open until nine;A discretionary service charge of 12.5% is added;Tell us about your allergies",
  ),
  kitchen(
    ["en-US", "USD", "Our Menu"],
    "Blue Heron Grill;Magnolia Street;Rosa's Corner",
    [
      "Starters;Deviled eggs|smoked paprika;Shrimp cocktail|horseradish;Fried green tomatoes|buttermilk dressing",
      "From the grill;Half chicken|lemon, herbs;Smash burger|two patties, pickles, cheddar;Pork ribs|slaw and cornbread;Skirt steak|chimichurri",
      "Salads;Wedge|blue cheese, bacon;Caesar|anchovy, croutons;Beet & goat cheese|walnuts",
      "Desserts;Key lime pie|whipped cream;Chocolate chip skillet|vanilla ice cream",
    ],
    "Consuming raw meats may increase your risk;Parties of six or more include gratuity;Open daily 11am to 10pm",
  ),
  kitchen(
    ["de", "EUR", "Speisekarte"],
    "Gasthof Linde;Zum Alten Speicher;Kleine Pause",
    [
      "Vorspeisen;Feldsalat|mit Speck und Croûtons;Kürbissuppe|Kernöl, geröstete Kerne;Rindertatar|Wachtelei, Röstbrot",
      "Hauptgerichte;Wiener Schnitzel|vom Kalb, Petersilienkartoffeln;Käsespätzle|Röstzwiebeln, kleiner Salat;Zanderfilet|auf Rahmkraut;Rinderroulade|Rotkohl, Klöße;Gemüsestrudel|Kräuterschmand",
      "Nachtisch;Apfelstrudel|Vanillesauce;Rote Grütze|mit Sahne;Kaiserschmarrn|Zwetschgenröster",
    ],
    "Montag Ruhetag;Alle Preise inklusive Mehrwertsteuer;Reservieren Sie telefonisch",
  ),
  kitchen(
    ["fr", "EUR", "La carte"],
    "Le Petit Quai;Chez Margot;L'Ardoise",
    [
      "Entrées;Œuf parfait|crème de champignons;Terrine de campagne|cornichons;Poireaux vinaigrette|noisettes",
      "Plats;Bavette à l'échalote|frites maison;Dos de cabillaud|beurre blanc;Risotto aux cèpes|parmesan;Confit de canard|pommes sarladaises",
      "Desserts;Crème brûlée|vanille de Madagascar;Tarte au citron|meringuée;Mousse au chocolat|fleur de sel",
    ],
    "Prix nets, service compris;Fermé le dimanche soir;La liste des allergènes est à disposition",
  ),
  kitchen(
    ["it", "EUR", "Il menù"],
    "Trattoria del Porto;Osteria Due Lune;Da Nives",
    [
      "Antipasti;Carciofi fritti|maionese al limone;Burrata|pomodori confit;Vitello tonnato|capperi",
      "Primi;Tagliatelle al ragù|di manzo;Spaghetti alle vongole|prezzemolo;Gnocchi al gorgonzola|noci;Lasagna della casa|al forno",
      "Secondi;Tagliata di manzo|rucola e grana;Branzino al sale|patate;Parmigiana|melanzane, basilico",
      "Dolci;Tiramisù|della nonna;Panna cotta|frutti di bosco",
    ],
    "Coperto a persona;Chiuso il lunedì;Il pesce può essere abbattuto",
  ),
  kitchen(
    ["es", "EUR", "Carta"],
    "Casa Remedios;La Taberna Azul;Bar Central",
    [
      "Para picar;Croquetas de jamón|seis unidades;Patatas bravas|alioli;Boquerones en vinagre|aceite de oliva;Tortilla|con cebolla",
      "Carnes y pescados;Secreto ibérico|pimientos;Merluza a la vasca|almejas;Pulpo a la brasa|cachelos;Chuletón|para dos",
      "Postres;Tarta de queso|al horno;Torrija|helado de leche;Flan|casero",
    ],
    "IVA incluido;Cerrado los martes;Suplemento de terraza",
  ),
  kitchen(
    ["nl", "EUR", "Menukaart"],
    "De Oude Sluis;Eetcafé Bruin;Aan de Haven",
    [
      "Lunch;Uitsmijter|drie eieren, ham en kaas;Broodje garnalenkroket|citroenmayonaise;Tomatensoep|met gehaktballetjes",
      "Hoofdgerechten;Saté van kippendij|atjar, kroepoek;Gebakken schol|frites en salade;Mosterdstoof|van rund;Groentecurry|rijst, koriander",
      "Toetjes;Appeltaart|slagroom;Dame blanche|warme chocoladesaus",
    ],
    "Keuken open tot tien uur;Wij accepteren alleen pin;Allergie? Meld het ons",
  ),
  kitchen(
    ["pt-BR", "BRL", "Cardápio"],
    "Sabor da Praça;Cantina do Zé;Quintal",
    [
      "Entradas;Pastel de queijo|seis unidades;Caldinho de feijão|torresmo;Bolinho de bacalhau|limão",
      "Pratos;Feijoada completa|arroz, couve, farofa;Moqueca de peixe|dendê e pirão;Picanha na chapa|vinagrete;Escondidinho|carne seca",
      "Sobremesas;Pudim de leite|calda de caramelo;Brigadeiro|quatro unidades",
    ],
    "Taxa de serviço opcional de 10%;Aberto todos os dias;Rolha sob consulta",
  ),
];
