/** What consent dialogs speak of, in any of the languages below. Source of a regular expression. */
export const CONSENT_SUBJECT =
  "cookie|kakor|informasjonskapsl|evästei|küpsis|sīkdat|slapuk|piškot|kolačić|çerez|куки|кук[иі]|файл\\S* cookie|бисквит|クッキー|쿠키|餅乾|คุกกี้|gdpr|ccpa|rgpd|dsgvo|tracking|privacy|privatsphäre|datenschutz|confidentialité|privacidad|consent";

/** Labels of buttons that refuse, whole, one line per language. Those that only open settings do not refuse. */
const LABELS: readonly string[] = [
  // English
  "(?:i )?(?:reject|decline|deny|refuse|disallow)(?: (?:all|non-essential|optional|additional|unnecessary|them|it|all non-essential|all optional))?(?: cookies)?(?: and (?:close|continue))?|(?:i )?do not (?:accept|agree|consent|allow)|(?:use|accept|allow|only)? ?(?:only )?(?:strictly )?(?:necessary|essential|required)(?: cookies)?(?: only)?|no,? thanks?|no cookies|continue without (?:accepting|agreeing|consent)|(?:i )?disagree(?: (?:to all|and close))?|opt[- ]out",
  // German
  "(?:alle(?:s)? |cookies )?ablehnen|(?:nur|ausschließlich) (?:technisch )?(?:notwendige|erforderliche|essenzielle|nötige)(?: cookies)?(?: (?:akzeptieren|zulassen|erlauben|verwenden))?|alle cookies ablehnen|weiter ohne (?:zustimmung|einwilligung)|nicht (?:zustimmen|einverstanden)|nein,? danke",
  // French
  "(?:tout|tous les cookies|je) ?refuse[rz]?|refuser|refuser (?:tout|tous les cookies|et (?:continuer|fermer))|(?:tout )?rejeter|continuer sans accepter|(?:cookies|uniquement les cookies) (?:strictement )?nécessaires(?: uniquement)?|non,? merci",
  // Spanish
  "rechazar(?: (?:todo|todas|todas las cookies|cookies|y (?:continuar|cerrar)))?|no acept(?:o|ar)|denegar(?: (?:todo|todas))?|(?:solo|sólo|solamente|únicamente) (?:las )?(?:cookies )?(?:necesarias|esenciales)|continuar sin aceptar|no,? gracias",
  // Portuguese
  "(?:rejeitar|recusar)(?: (?:tudo|todos|todas|todos os cookies|cookies))?|não aceit(?:o|ar)|(?:apenas|somente|só) (?:os )?(?:cookies )?(?:necessários|essenciais)|continuar sem aceitar|não,? obrigado",
  // Italian
  "rifiut[ao](?:re)?(?: (?:tutto|tutti|tutti i cookie|e chiudi))?|nega(?: tutti)?|non accett[oa](?:re)?|(?:solo|usa solo) (?:i )?(?:cookie )?(?:necessari|essenziali|tecnici)|continua senza accettare|no,? grazie",
  // Dutch
  "(?:alles |alle cookies |cookies )?(?:weigeren|afwijzen)|(?:weiger|wijs)(?: alles?| alle cookies| cookies)?(?: af)?|(?:alleen|enkel) (?:strikt )?(?:noodzakelijke|functionele|essentiële)(?: cookies)?(?: (?:accepteren|toestaan))?|niet akkoord|nee,? (?:bedankt|dank je)|doorgaan zonder (?:te )?accepteren",
  // Danish, Norwegian, Swedish
  "(?:afvis|avvis|avvisa|neka|nekt|afslå|avslå|avböj)(?: (?:alle|alt|alla|cookies|alle cookies|alla cookies|alle informasjonskapsler|kakor|alla kakor))?|(?:kun|bare|endast|bara) (?:de )?(?:nødvendige|nödvändiga)(?: (?:cookies|kakor|informasjonskapsler))?|nej,? (?:tak|tack)|nei,? takk",
  // Finnish
  "(?:hylkää|kiellä|estä)(?: (?:kaikki|evästeet|kaikki evästeet))?|(?:salli |hyväksy )?vain (?:välttämättömät|pakolliset)(?: evästeet)?|en hyväksy|ei kiitos",
  // Estonian, Latvian, Lithuanian
  "keeldu(?:n|da)?(?: kõigist)?|ainult vajalikud(?: küpsised)?|noraid[īi]t(?: vis[aus]+)?|tikai nepieciešam[āa]s|atmesti(?: vis(?:us|ką))?|tik (?:būtini|būtinieji)(?: slapukai)?|nesutinku",
  // Polish
  "odrzuć(?: (?:wszystkie?|wszystko|pliki cookie|wszystkie (?:pliki )?cookies?))?|odmów|nie (?:zgadzam się|akceptuję|wyrażam zgody)|(?:tylko|akceptuj tylko) (?:niezbędne|konieczne)(?: (?:pliki )?cookies?)?|nie,? dziękuję",
  // Czech, Slovak
  "(?:odm[ií]tnout|odm(?:ie|í)tnuť|odmietam|odmítám)(?: (?:vše|všetko|všechny?|všetky|cookies|všechny cookies))?|zam(?:[ií]tnout|ietnuť)(?: (?:vše|všetko))?|(?:pouze|jen|iba|len) (?:nezbytn[éě]|nutn[éě]|nevyhnutn[éě])(?: cookies)?|nesouhlas[ií]m|nesúhlasím",
  // Hungarian, Romanian
  "(?:összes |mindent? )?elutasít(?:ása|om|ás)?(?: mindent)?|csak a (?:szükséges|feltétlenül szükséges)(?: sütik| cookie-k)?|resping(?:e|eți)?(?: (?:tot|toate|tot))?|refuz(?:ă|ați)?(?: (?:tot|toate))?|(?:doar|numai) (?:cele )?(?:necesare|esențiale)|nu,? mulțumesc",
  // Slovene, Croatian, Serbian, Bosnian
  "zavrni(?: vse| piškotke)?|odbij(?:te|am)?(?: sve| kolačiće| sve kolačiće)?|(?:samo|dopusti samo) (?:nujni|neophodni?|nužni|potrebni|obavezni)(?: (?:piškotki|kolačići?))?|не прихватам|одбиј(?: све)?",
  // Bulgarian, Russian, Ukrainian
  "отхвърл(?:и|ете|яне|ям)(?: (?:на )?всички)?|само необходими(?:те)?|отклонить(?: (?:все|всё))?|отказаться(?: от всех)?|не (?:принимаю|согласен|соглашаюсь)|(?:только|лише|тільки) (?:необходимые|обязательные|необхідні)(?: (?:файлы )?cookies?)?|відхилити(?: (?:все|усе|усі|всі))?|відмовитися|нет,? спасибо",
  // Greek, Turkish
  "απόρριψη(?: (?:όλων|όλων των cookies))?|απορρίπτω|δεν (?:αποδέχομαι|συμφωνώ)|μόνο (?:τα )?(?:απαραίτητα|αναγκαία)(?: cookies)?|(?:tümünü |hepsini |çerezleri )?reddet|reddediyorum|kabul etmiyorum|(?:yalnızca|sadece) (?:gerekli|zorunlu)(?: çerezler)?",
  // Japanese, Korean, Chinese
  "(?:すべて|全て)?(?:を)?拒否(?:する)?|すべて拒否|同意しない|必要な(?:もの|cookie|クッキー)のみ|(?:모두 )?거부(?:하기)?|동의하지 않(?:음|습니다)|필수 (?:쿠키)?만(?: 허용)?|(?:全部|一律)?拒(?:绝|絕)(?:所有|全部)?(?: ?cookies?)?|不同意|(?:仅|僅|只)(?:接受)?(?:必要|必需)(?:的)?(?: ?cookies?)?",
  // Arabic, Hebrew, Thai, Vietnamese, Indonesian
  "رفض(?: الكل| الجميع)?|لا أوافق|דח(?:ה|ייה|יית)(?: הכל)?|ปฏิเสธ(?:ทั้งหมด)?|từ chối(?: tất cả)?|tolak(?: semua)?|hanya yang diperlukan",
];

export const CONSENT_REFUSALS = LABELS.join("|");
