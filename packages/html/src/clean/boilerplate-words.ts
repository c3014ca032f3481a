/** Texts of boilerplate lines for one purpose, and where they must stand. */
export interface BoilerplateWords {
  readonly purpose:
    | "consent"
    | "sharing"
    | "newsletter"
    | "related"
    | "comments"
    | "advertising"
    | "support"
    | "author"
    | "rights"
    | "controls";
  /** Whole lines, without punctuation at their ends, and headings of sections. In lower case. */
  readonly labels: readonly string[];
  /** Parts of longer lines with the same meaning. */
  readonly phrases: RegExp;
  /** Headings that begin this way are labels when only links and short lines are below them. */
  readonly headings?: RegExp;
  /** True when phrases are boilerplate only in the second half of a page. */
  readonly isLate?: boolean;
  /** True when the whole section below such a heading belongs to it, not only its links and short lines. */
  readonly ownsSection: boolean;
}

/**
 * One entry per purpose, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian,
 * Turkish, Japanese and Chinese.
 */
export const boilerplateWords: readonly BoilerplateWords[] = [
  {
    purpose: "consent",
    labels:
      "accept cookies|accept all|accept all cookies|reject all|cookie settings|cookie preferences|manage cookies|alle akzeptieren|alle ablehnen|cookie-einstellungen|tout accepter|tout refuser|paramètres des cookies|aceptar todo|rechazar todo|configurar cookies|accetta tutto|rifiuta tutto|aceitar tudo|rejeitar tudo|alles accepteren|cookie-instellingen|akceptuj wszystkie|odrzuć wszystkie|ustawienia cookies|принять все|отклонить все|настройки cookie|tümünü kabul et|tümünü reddet|çerez ayarları|すべて同意|すべて受け入れる|全部接受|接受所有".split(
        "|",
      ),
    phrases:
      /(?:we|this (?:web)?site) uses? (?:our own )?cookies|accept (?:all )?cookies|verwende[nt] (?:wir )?cookies|wir verwenden cookies|utilis(?:e|ons) des cookies|(?:utilizamos|usamos) cookies|utilizza(?:mo)? (?:i )?cookie|wij gebruiken cookies|(?:używamy|korzystamy z|wykorzystuje) (?:plików )?cookies?|использу(?:ет|ем) (?:файлы )?cookie|çerez(?:leri)? kullan|cookieを使用|クッキーを使用|使用cookie/iu,
    ownsSection: true,
  },
  {
    purpose: "sharing",
    labels:
      "share|share this|share this article|share this page|share this post|share on facebook|share on twitter|share on x|share on linkedin|tweet|pin it|copy link|print|print this page|email this|follow us|follow us on social media|teilen|artikel teilen|seite teilen|drucken|folgen sie uns|partager|partager cet article|imprimer|suivez-nous|compartir|compartir en facebook|imprimir|síguenos|condividi|stampa|seguici|compartilhar|compartilhe|siga-nos|delen|deel dit artikel|volg ons|udostępnij|drukuj|obserwuj nas|поделиться|распечатать|подписывайтесь на нас|paylaş|yazdır|bizi takip edin|シェア|シェアする|共有|分享|分享到|打印".split(
        "|",
      ),
    headings:
      /^(?:share (?:this|on|your)|follow (?:us|me)|pin (?:this|it)|find us on|teilen|folge[nt]? (?:sie )?uns|partage[rz]|suivez|comparte|compartir|síguenos|condividi|seguici|compartilh|deel dit|volg ons|udostępnij|поделиться|paylaş)/iu,
    phrases:
      /share (?:this|on) (?:\p{L}+ ){0,2}(?:facebook|twitter|linkedin|whatsapp|x\b)|auf (?:facebook|twitter|whatsapp) teilen|partager sur (?:facebook|twitter)|compartir en (?:facebook|twitter)|condividi su (?:facebook|twitter)/iu,
    ownsSection: false,
  },
  {
    purpose: "newsletter",
    labels:
      "newsletter|join our newsletter|join the newsletter|get the newsletter|sign up for the newsletter|sign up for newsletters|subscribe to the newsletter|get updates by email|zum newsletter anmelden|newsletter bestellen|recevez notre newsletter|recibe nuestro boletín|ricevi la newsletter|receba nossa newsletter|subscribe|subscribe now|sign up|sign up for our newsletter|subscribe to our newsletter|newsletter signup|join our mailing list|get our newsletter|newsletter abonnieren|jetzt abonnieren|inscription à la newsletter|s'abonner|abonnez-vous|suscríbete|suscríbete a nuestro boletín|boletín|iscriviti|iscriviti alla newsletter|assine nossa newsletter|inscreva-se|schrijf je in|aanmelden nieuwsbrief|nieuwsbrief|zapisz się|zapisz się do newslettera|подписаться|подписка на рассылку|bültenimize abone olun|abone ol|メルマガ登録|購読する|订阅|訂閱".split(
        "|",
      ),
    headings:
      /^(?:(?:sign up|subscribe|register) (?:for|to) .*(?:newsletter|mailing list|updates|emails?)|(?:join|get) (?:our|the|my) .*(?:newsletter|mailing list)|newsletter|never miss|stay (?:in touch|informed|up to date)|newsletter (?:abonnieren|anmelden)|jetzt (?:registrieren|abonnieren|anmelden)|inscri(?:vez|ption)|abonnez|suscríbe|iscriviti|assine|inscreva|zapisz się|подпи[сш]|メルマガ)/iu,
    phrases:
      /^(?:join|get) (?:our|the|my) (?:\p{L}+ ){0,3}(?:newsletter|mailing list)|(?:our|unseren?|notre|nuestro|nostro|nosso|ons|nasz\p{L}*|наш\p{L}*) (?:(?:canal|chaîne|canale|kanał|канал) (?:de |di |w |в )?)?(?:youtube|telegram|whatsapp)|(?:sign up|subscribe|register) (?:for|to) (?:our|the|my) (?:\p{L}+ ){0,3}(?:newsletter|mailing list|updates)|(?:abonnieren sie|jetzt) (?:unseren|den) newsletter|newsletter abonnieren|abonnez-vous à (?:notre|la) newsletter|suscríbete a nuestr[ao]|iscriviti alla (?:nostra )?newsletter|(?:schrijf je in|meld je aan) voor (?:onze|de) nieuwsbrief|zapisz się do (?:naszego )?newslettera|подпишитесь на (?:нашу )?рассылку|bültenimize abone|订阅我们/iu,
    ownsSection: true,
  },
  {
    purpose: "related",
    labels:
      "related|related articles|related posts|related stories|related content|related links|related topics|you may be interested in|you might be interested in|related searches|related reading|related stories|keep reading|up next|what to read next|le puede interesar|puede interesarle|le recomendamos|más noticias|mehr aus dieser rubrik|weitere artikel|weitere themen|auch lesenswert|vous aimerez aussi|à découvrir aussi|czytaj więcej|polecamy|warto przeczytać|veja também|saiba mais|vedi anche|zie ook|bekijk ook|смотрите также|bunlar da ilginizi çekebilir|あわせて読みたい|延伸阅读|read also|see also our|read more|read next|more stories|more articles|more from this author|more like this|you may also like|you might also like|recommended|recommended for you|most read|most popular|popular posts|trending|latest news|recent posts|das könnte sie auch interessieren|auch interessant|ähnliche artikel|verwandte artikel|mehr zum thema|lesen sie auch|meistgelesen|à lire aussi|articles similaires|articles liés|sur le même sujet|les plus lus|lire la suite|artículos relacionados|te puede interesar|también te puede interesar|lee también|lo más leído|leer más|articoli correlati|leggi anche|potrebbe interessarti|i più letti|artigos relacionados|leia também|você também pode gostar|mais lidas|gerelateerde artikelen|lees ook|lees meer|meest gelezen|powiązane artykuły|zobacz także|czytaj także|najczęściej czytane|читайте также|похожие статьи|по теме|самое читаемое|benzer yazılar|ilgili haberler|bunları da okuyun|関連記事|おすすめ記事|人気記事|相关文章|相关阅读|推荐阅读|热门文章".split(
        "|",
      ),
    headings:
      /^(?:(?:you|we think you) (?:may|might|will|'ll|’ll|would) (?:also )?(?:like|enjoy|love|be interested)|(?:more|other|further|latest|recent|similar|recommended|related|trending|popular) (?:posts?|articles?|stories|news|topics?|reading|searches|recipes|videos|content|links|products|courses|from|to explore|on this|like this)|(?:keep|continue) (?:exploring|reading)|what to read next|read (?:next|more|also)|also read|(?:this is what )?customers (?:who|also) (?:viewed|bought)|explore (?:more|other|related)|das könnte (?:sie|dich|euch) (?:auch )?interessieren|(?:weitere|ähnliche|verwandte|aktuelle|neueste) (?:artikel|beiträge|themen|meldungen|nachrichten|rezepte)|mehr (?:zum thema|aus|von)|zum weiterlesen|vous aimerez|(?:articles|sujets) (?:similaires|liés)|(?:à )?lire aussi|sur le même (?:sujet|thème)|artículos relacionados|(?:también )?te puede interesar|más (?:noticias|leídas)|noticias relacionadas|mir[ae] ?:|articoli correlati|potrebbe interessarti|leggi anche|artigos relacionados|leia também|você também|lees ook|gerelateerd|meer (?:over|nieuws|artikelen)|czytaj (?:także|też|więcej)|zobacz (?:także|też)|powiązane|polecane|читайте также|похожие|ещё по теме|ilgili (?:haberler|yazılar)|benzer (?:yazılar|haberler)|関連|おすすめ|相关(?:文章|阅读|新闻)|推荐阅读)/iu,
    phrases:
      /^(?:read (?:also|next|more)|also read|see also|related(?: (?:article|story|post|news|reading))?|more on this|lesen sie (?:auch|mehr)|lies auch|mehr dazu|siehe auch|(?:à )?lire (?:aussi|également)|voir aussi|(?:lea?|leer|mir[ae]|vea|ver) (?:también|además|más)|también (?:lee|lea|puedes leer)|mir[ae]|te puede interesar|le puede interesar|leggi anche|vedi anche|guarda anche|leia (?:também|mais)|veja também|lees (?:ook|verder)|zie ook|czytaj (?:też|także|więcej)|zobacz (?:też|także)|читайте (?:также|ещё|еще)|смотрите также|ayrıca okuyun|bunu da okuyun|関連記事|相关阅读|推荐阅读) ?[:：»>-]/iu,
    ownsSection: false,
  },
  {
    purpose: "comments",
    labels:
      "comments|leave a comment|leave a reply|post a comment|add a comment|no comments|no comments yet|reply|log in to comment|kommentare|kommentar schreiben|kommentar hinterlassen|schreibe einen kommentar|commentaires|laisser un commentaire|comentarios|deja un comentario|deja una respuesta|commenti|lascia un commento|comentários|deixe um comentário|reacties|plaats een reactie|geef een reactie|komentarze|dodaj komentarz|комментарии|оставить комментарий|yorumlar|yorum yap|bir yorum yazın|コメント|コメントを残す|评论|发表评论|留言".split(
        "|",
      ),
    headings:
      /^(?:\d+ comments?|comments \(?\d|(?:leave|post|add|write) (?:a|your) (?:comment|reply|review)|join the (?:conversation|discussion)|\d+ kommentare?|\d+ commentaires?|\d+ comentarios?|\d+ reacties?|\d+ komentarz)/iu,
    phrases:
      /we welcome reader comments|comments are moderated|comments (?:are|may be) (?:civil|closed|republished)|your email address will not be published|(?:must be|you need to be) logged in to (?:post|leave|add) a (?:comment|reply)|(?:deine|ihre) e-mail-adresse wird nicht veröffentlicht|votre adresse e-?mail ne sera pas publiée|tu dirección de correo electrónico no será publicada|il tuo indirizzo email non sarà pubblicato|o seu endereço de e-?mail não será publicado|je e-mailadres wordt niet gepubliceerd|twój adres e-?mail nie zostanie opublikowany|ваш (?:адрес )?e-?mail не будет опубликован|e-posta adresiniz yayınlanmayacak|メールアドレスが公開されることはありません|(?:邮箱|电子邮件)地址不会被公开/iu,
    ownsSection: true,
  },
  {
    purpose: "advertising",
    labels:
      "advertisement|advertising|ad|ads|sponsored|sponsored content|promoted|paid content|skip advertisement|advertisement - continue reading below|story continues below advertisement|anzeige|werbung|publicité|annonce|contenu sponsorisé|publicidad|anuncio|contenido patrocinado|pubblicità|contenuto sponsorizzato|publicidade|anúncio|advertentie|gesponsord|reklama|artykuł sponsorowany|реклама|на правах рекламы|reklam|sponsorlu içerik|広告|スポンサー|广告|赞助内容".split(
        "|",
      ),
    phrases:
      /^(?:story|article) continues (?:below|after)|(?:story|article) continues (?:below|after) (?:this )?(?:advertisement|ad)/iu,
    ownsSection: false,
  },
  {
    purpose: "support",
    labels:
      "donate|donate now|donate today|support us|support our work|become a member|become a supporter|jetzt spenden|spenden|unterstützen sie uns|faire un don|soutenez-nous|donar|haz una donación|apóyanos|dona ora|sostienici|doe mee|doneer|wesprzyj nas|wesprzyj|поддержать|bağış yap|寄付する|捐款".split(
        "|",
      ),
    headings:
      /^(?:(?:donate|support) (?:us|now|today|our)|this (?:story|article|site|work) is (?:funded|made possible) by|(?:unterstützen|spenden) sie|soutenez|apóyanos|sostieni|steun ons|wesprzyj)/iu,
    phrases:
      /(?:consider|please) (?:supporting|support) (?:our|us|my|this)|is (?:funded|made possible) by (?:readers|people|donations)|^sponsor this|unterstützen sie (?:uns|unsere arbeit)|soutenez (?:notre|nous)|sostieni il nostro/iu,
    ownsSection: false,
  },
  {
    purpose: "author",
    labels:
      "about the author|about the authors|author bio|über den autor|über die autorin|zum autor|zur autorin|à propos de l'auteur|l'auteur|sobre el autor|sobre la autora|l'autore|sobre o autor|over de auteur|o autorze|об авторе|yazar hakkında|この記事を書いた人|著者について|作者简介|关于作者".split(
        "|",
      ),
    headings: /^(?:about the author|meet the (?:author|writer)|written by|über (?:den autor|die autorin))/iu,
    phrases:
      /^(?:written by|article by|geschrieben von|écrit par|escrito por|scritto da) (?:\p{L}+ ?){1,4}$/iu,
    isLate: true,
    ownsSection: true,
  },
  {
    purpose: "rights",
    labels:
      "all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados".split(
        "|",
      ),
    phrases:
      /all rights reserved|alle rechte vorbehalten|tous droits réservés|(?:todos los derechos reservados|todos os direitos reservados)|tutti i diritti (?:sono )?riservati|alle rechten voorbehouden|wszelkie prawa zastrzeżone|все права защищены|tüm hakları saklıdır|無断転載|版权所有/iu,
    isLate: true,
    ownsSection: false,
  },
  {
    purpose: "controls",
    labels:
      "loading|loading...|please wait|back to top|scroll to top|go back|sort and filter|sort by|filter by|show more|load more|view more|permalink|print this|report this|report a problem|fact checked|nach oben|zurück|zum seitenanfang|mehr anzeigen|mehr laden|retour|retour en haut|haut de page|voir plus|afficher plus|volver|volver arriba|ver más|cargar más|indietro|torna su|torna all'inizio|carica altro|voltar|voltar ao topo|ver mais|carregar mais|terug|terug naar boven|meer laden|toon meer|wstecz|wróć|do góry|pokaż więcej|назад|наверх|показать ещё|geri|yukarı çık|daha fazla|ページトップへ|トップへ戻る|もっと見る|返回顶部|加载更多|查看更多".split(
        "|",
      ),
    phrases: /^sent from my \p{L}|^permalink(?:ien|e)?[: ]/iu,
    ownsSection: false,
  },
];
