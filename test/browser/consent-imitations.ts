/** How a dialog stands over its page. */
type Form = "bar" | "box" | "corner" | "shadow" | "deep shadow" | "frame" | "dialog element";

/** A dialog as a manager of consent shows it: its form, its buttons and their order are facts, its words are our own. */
export interface ConsentImitation {
  readonly product: string;
  readonly form: Form;
  /** The markup of a button; `{}` is its label. */
  readonly button: string;
  readonly buttons: readonly string[];
  /** The button that refuses; undefined: the first layer has none. */
  readonly refusal: string | undefined;
}

const BUTTON = `<button type="button">{}</button>`;
const LINK = `<a role="button" tabindex="0">{}</a>`;
const SPAN_BUTTON = `<button type="button"><span>{}</span></button>`;

/** The twenty managers most used, none of their names in the markup: lists of rules do not know these dialogs. */
export const CONSENT_IMITATIONS: readonly ConsentImitation[] = [
  {
    product: "OneTrust",
    form: "bar",
    button: BUTTON,
    buttons: ["Cookies Settings", "Reject All", "Accept All Cookies"],
    refusal: "Reject All",
  },
  {
    product: "Cookiebot",
    form: "box",
    button: BUTTON,
    buttons: ["Deny", "Allow selection", "Allow all"],
    refusal: "Deny",
  },
  {
    product: "Usercentrics",
    form: "shadow",
    button: SPAN_BUTTON,
    buttons: ["More information", "Deny", "Accept all"],
    refusal: "Deny",
  },
  {
    product: "Didomi",
    form: "box",
    button: SPAN_BUTTON,
    buttons: ["Learn more →", "Disagree and close", "Agree and close"],
    refusal: "Disagree and close",
  },
  {
    product: "InMobi Choice",
    form: "box",
    button: `<button mode="secondary" size="large">{}</button>`,
    buttons: ["MORE OPTIONS", "DISAGREE", "AGREE"],
    refusal: "DISAGREE",
  },
  {
    product: "TrustArc",
    form: "frame",
    button: LINK,
    buttons: ["Manage settings", "Decline all", "Accept all"],
    refusal: "Decline all",
  },
  {
    product: "Sourcepoint",
    form: "frame",
    button: BUTTON,
    buttons: ["Options", "Reject all", "Accept"],
    refusal: "Reject all",
  },
  {
    product: "Osano",
    form: "bar",
    button: BUTTON,
    buttons: ["Accept", "Deny Non-Essential", "Manage Preferences"],
    refusal: "Deny Non-Essential",
  },
  {
    product: "CookieYes",
    form: "corner",
    button: BUTTON,
    buttons: ["Customise", "Reject All", "Accept All"],
    refusal: "Reject All",
  },
  {
    product: "Complianz",
    form: "corner",
    button: BUTTON,
    buttons: ["Accept", "Deny", "View preferences"],
    refusal: "Deny",
  },
  {
    product: "iubenda",
    form: "bar",
    button: BUTTON,
    buttons: ["Learn more and customize", "Reject", "Accept"],
    refusal: "Reject",
  },
  {
    product: "CookieScript",
    form: "corner",
    button: `<div tabindex="0" role="button">{}</div>`,
    buttons: ["Accept all", "Decline all", "Show details"],
    refusal: "Decline all",
  },
  {
    product: "Termly",
    form: "bar",
    button: BUTTON,
    buttons: ["Preferences", "Decline", "Accept"],
    refusal: "Decline",
  },
  {
    product: "Borlabs Cookie",
    form: "dialog element",
    button: LINK,
    buttons: ["Accept all", "Save", "Accept only essential cookies", "Individual privacy settings"],
    refusal: "Accept only essential cookies",
  },
  {
    product: "Klaro",
    form: "corner",
    button: BUTTON,
    buttons: ["Let me choose", "I decline", "That's ok"],
    refusal: "I decline",
  },
  {
    product: "Axeptio",
    form: "shadow",
    button: BUTTON,
    buttons: ["No thanks", "Let me choose", "OK for me"],
    refusal: "No thanks",
  },
  {
    product: "Google Funding Choices",
    form: "box",
    button: `<button><div></div><p>{}</p></button>`,
    buttons: ["Consent", "Do not consent", "Manage options"],
    refusal: "Do not consent",
  },
  {
    product: "consentmanager",
    form: "deep shadow",
    button: `<a role="button" href="#">{}</a>`,
    buttons: ["Accept all", "Reject all", "Settings"],
    refusal: "Reject all",
  },
  {
    product: "tarteaucitron",
    form: "bar",
    button: BUTTON,
    buttons: ["OK, accept all", "Deny all cookies", "Personalize"],
    refusal: "Deny all cookies",
  },
  {
    product: "Civic Cookie Control",
    form: "corner",
    button: BUTTON,
    buttons: ["Accept Recommended Settings", "Manage settings"],
    refusal: undefined,
  },
];

/** What such a dialog says, and its labels to accept, for settings and to refuse, in the languages that people scrape. */
export const CONSENT_LANGUAGES: Readonly<
  Record<string, readonly [text: string, accept: string, settings: string, refuse: string]>
> = {
  English: ["We use cookies to count visits.", "Accept all", "Settings", "Reject all"],
  German: [
    "Wir verwenden Cookies, um Besuche zu zählen.",
    "Alle akzeptieren",
    "Einstellungen",
    "Alle ablehnen",
  ],
  French: [
    "Nous utilisons des cookies pour compter les visites.",
    "Tout accepter",
    "Paramétrer",
    "Tout refuser",
  ],
  Spanish: ["Usamos cookies para contar las visitas.", "Aceptar todo", "Configurar", "Rechazar todo"],
  Portuguese: ["Usamos cookies para contar visitas.", "Aceitar tudo", "Definições", "Rejeitar tudo"],
  Italian: ["Usiamo i cookie per contare le visite.", "Accetta tutto", "Impostazioni", "Rifiuta tutto"],
  Dutch: [
    "Wij gebruiken cookies om bezoeken te tellen.",
    "Alles accepteren",
    "Instellingen",
    "Alles weigeren",
  ],
  Danish: ["Vi bruger cookies til at tælle besøg.", "Accepter alle", "Indstillinger", "Afvis alle"],
  Norwegian: [
    "Vi bruker informasjonskapsler for å telle besøk.",
    "Godta alle",
    "Innstillinger",
    "Avvis alle",
  ],
  Swedish: ["Vi använder kakor för att räkna besök.", "Godkänn alla", "Inställningar", "Avvisa alla"],
  Finnish: ["Käytämme evästeitä käyntien laskemiseen.", "Hyväksy kaikki", "Asetukset", "Hylkää kaikki"],
  Estonian: ["Kasutame küpsiseid külastuste lugemiseks.", "Nõustu kõigiga", "Seaded", "Keeldu kõigist"],
  Latvian: [
    "Mēs izmantojam sīkdatnes, lai skaitītu apmeklējumus.",
    "Pieņemt visas",
    "Iestatījumi",
    "Noraidīt visas",
  ],
  Lithuanian: [
    "Naudojame slapukus apsilankymams skaičiuoti.",
    "Priimti visus",
    "Nustatymai",
    "Atmesti visus",
  ],
  Polish: [
    "Używamy plików cookie, aby liczyć odwiedziny.",
    "Akceptuj wszystkie",
    "Ustawienia",
    "Odrzuć wszystkie",
  ],
  Czech: ["Používáme cookies k počítání návštěv.", "Přijmout vše", "Nastavení", "Odmítnout vše"],
  Slovak: ["Používame cookies na počítanie návštev.", "Prijať všetko", "Nastavenia", "Odmietnuť všetko"],
  Hungarian: [
    "Sütiket (cookie) használunk a látogatások számlálására.",
    "Összes elfogadása",
    "Beállítások",
    "Összes elutasítása",
  ],
  Romanian: ["Folosim cookie-uri pentru a număra vizitele.", "Acceptă tot", "Setări", "Respinge tot"],
  Slovene: ["Uporabljamo piškotke za štetje obiskov.", "Sprejmi vse", "Nastavitve", "Zavrni vse"],
  Croatian: ["Koristimo kolačiće za brojanje posjeta.", "Prihvati sve", "Postavke", "Odbij sve"],
  Bulgarian: [
    "Използваме бисквитки, за да броим посещенията.",
    "Приемам всички",
    "Настройки",
    "Отхвърляне на всички",
  ],
  Russian: [
    "Мы используем файлы cookie, чтобы считать посещения.",
    "Принять все",
    "Настройки",
    "Отклонить все",
  ],
  Ukrainian: [
    "Ми використовуємо файли cookie, щоб рахувати відвідування.",
    "Прийняти все",
    "Налаштування",
    "Відхилити все",
  ],
  Greek: ["Χρησιμοποιούμε cookies για να μετράμε επισκέψεις.", "Αποδοχή όλων", "Ρυθμίσεις", "Απόρριψη όλων"],
  Turkish: ["Ziyaretleri saymak için çerezler kullanıyoruz.", "Tümünü kabul et", "Ayarlar", "Tümünü reddet"],
  Japanese: ["訪問を数えるためにクッキーを使用します。", "すべて許可", "設定", "すべて拒否"],
  Korean: ["방문 수를 세기 위해 쿠키를 사용합니다.", "모두 허용", "설정", "모두 거부"],
  Chinese: ["我们使用 Cookie 统计访问量。", "全部接受", "设置", "全部拒绝"],
  Arabic: ["نستخدم ملفات cookie لإحصاء الزيارات.", "قبول الكل", "الإعدادات", "رفض الكل"],
  Hebrew: ["אנו משתמשים בקובצי cookie כדי לספור ביקורים.", "אישור הכל", "הגדרות", "דחה הכל"],
  Thai: ["เราใช้คุกกี้เพื่อนับการเข้าชม", "ยอมรับทั้งหมด", "การตั้งค่า", "ปฏิเสธทั้งหมด"],
  Vietnamese: [
    "Chúng tôi dùng cookie để đếm lượt truy cập.",
    "Chấp nhận tất cả",
    "Cài đặt",
    "Từ chối tất cả",
  ],
  Indonesian: [
    "Kami memakai cookie untuk menghitung kunjungan.",
    "Terima semua",
    "Pengaturan",
    "Tolak semua",
  ],
};

const STYLES: Readonly<Record<Form, string>> = {
  bar: "position:fixed;left:0;right:0;bottom:0;background:#fff",
  box: "position:fixed;inset:20% 25%;background:#fff",
  corner: "position:fixed;right:20px;bottom:20px;width:320px;background:#fff",
  shadow: "position:fixed;left:0;right:0;bottom:0;background:#fff",
  "deep shadow": "position:fixed;inset:20% 25%;background:#fff",
  frame: "position:fixed;inset:20% 25%;border:0;background:#fff",
  "dialog element": "position:fixed;inset:20% 25%;background:#fff",
};

/** What the dialog speaks of. */
const TEXT = "We and our partners store cookies to count visits and to show adverts.";

/** JavaScript that puts the dialog up. `window.choice` becomes the label of the button that is pressed. */
export function imitationScript(imitation: ConsentImitation, frameUrl = ""): string {
  const { form } = imitation;
  const args = [form, STYLES[form], layerOf(imitation), frameUrl].map((value) => JSON.stringify(value));
  return `(${PUT_UP})(${args.join(", ")})`;
}

/** The document of a dialog that is a frame. */
export function framePage(imitation: ConsentImitation): string {
  return `${layerOf(imitation)}<script>addEventListener("click", ({ target }) =>
    parent.postMessage(target.closest("button, [role=button]")?.textContent.trim(), "*"))</script>`;
}

function layerOf({ button, buttons }: ConsentImitation): string {
  return `<p>${TEXT}</p>${buttons.map((label) => button.replace("{}", label)).join(" ")}`;
}

/** Runs in the page: a dialog of a form, whose buttons set `window.choice` and end it. */
const PUT_UP = `(form, style, layer, frameUrl) => {
  const tag = form === "frame" ? "iframe" : form === "dialog element" ? "dialog" : "div";
  const outer = document.body.appendChild(document.createElement(tag));
  const choose = (label) => {
    window.choice = label;
    outer.remove();
  };
  const fill = (box) => {
    box.style.cssText = style;
    box.innerHTML = layer;
    box.addEventListener("click", ({ target }) =>
      choose(target.closest("button, [role=button]")?.textContent.trim()));
  };
  if (form === "frame") {
    outer.style.cssText = style;
    outer.src = frameUrl;
    addEventListener("message", ({ data }) => choose(data));
  } else if (form.endsWith("shadow")) {
    const host = form === "shadow" ? outer : outer.appendChild(document.createElement("div"));
    fill(host.attachShadow({ mode: "open" }).appendChild(document.createElement("div")));
  } else {
    fill(outer);
    outer.show?.();
  }
}`;
