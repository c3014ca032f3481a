/** Where a phrase has to stand for its line to be boilerplate. */
export interface BoilerplateWords {
  /** What such lines are for. */
  readonly purpose: "consent" | "sharing" | "newsletter" | "related" | "comments" | "advertising";
  /** Whole lines, without marks at their ends, and headings of sections. In lower case. */
  readonly labels: readonly string[];
  /** Parts of longer lines that tell the same. */
  readonly phrases: RegExp;
  /** True when all of a section below such a heading belongs to it, not only its links and short lines. */
  readonly ownsSection: boolean;
}

/** One line per purpose; in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Turkish, Japanese and Chinese. */
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
    phrases:
      /(?:sign up|subscribe|register) (?:for|to) (?:our|the|my) (?:\p{L}+ ){0,3}(?:newsletter|mailing list|updates)|(?:abonnieren sie|jetzt) (?:unseren|den) newsletter|newsletter abonnieren|abonnez-vous à (?:notre|la) newsletter|suscríbete a nuestr[ao]|iscriviti alla (?:nostra )?newsletter|(?:schrijf je in|meld je aan) voor (?:onze|de) nieuwsbrief|zapisz się do (?:naszego )?newslettera|подпишитесь на (?:нашу )?рассылку|bültenimize abone|订阅我们/iu,
    ownsSection: true,
  },
  {
    purpose: "related",
    labels:
      "related|related articles|related posts|related stories|related content|related links|related topics|you may be interested in|you might be interested in|related searches|related reading|related stories|keep reading|up next|what to read next|le puede interesar|puede interesarle|le recomendamos|más noticias|mehr aus dieser rubrik|weitere artikel|weitere themen|auch lesenswert|vous aimerez aussi|à découvrir aussi|czytaj więcej|polecamy|warto przeczytać|veja também|saiba mais|vedi anche|zie ook|bekijk ook|смотрите также|bunlar da ilginizi çekebilir|あわせて読みたい|延伸阅读|read also|see also our|read more|read next|more stories|more articles|more from this author|more like this|you may also like|you might also like|recommended|recommended for you|most read|most popular|popular posts|trending|latest news|recent posts|das könnte sie auch interessieren|auch interessant|ähnliche artikel|verwandte artikel|mehr zum thema|lesen sie auch|meistgelesen|à lire aussi|articles similaires|articles liés|sur le même sujet|les plus lus|lire la suite|artículos relacionados|te puede interesar|también te puede interesar|lee también|lo más leído|leer más|articoli correlati|leggi anche|potrebbe interessarti|i più letti|artigos relacionados|leia também|você também pode gostar|mais lidas|gerelateerde artikelen|lees ook|lees meer|meest gelezen|powiązane artykuły|zobacz także|czytaj także|najczęściej czytane|читайте также|похожие статьи|по теме|самое читаемое|benzer yazılar|ilgili haberler|bunları da okuyun|関連記事|おすすめ記事|人気記事|相关文章|相关阅读|推荐阅读|热门文章".split(
        "|",
      ),
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
    phrases:
      /your email address will not be published|(?:must be|you need to be) logged in to (?:post|leave|add) a (?:comment|reply)|(?:deine|ihre) e-mail-adresse wird nicht veröffentlicht|votre adresse e-?mail ne sera pas publiée|tu dirección de correo electrónico no será publicada|il tuo indirizzo email non sarà pubblicato|o seu endereço de e-?mail não será publicado|je e-mailadres wordt niet gepubliceerd|twój adres e-?mail nie zostanie opublikowany|ваш (?:адрес )?e-?mail не будет опубликован|e-posta adresiniz yayınlanmayacak|メールアドレスが公開されることはありません|(?:邮箱|电子邮件)地址不会被公开/iu,
    ownsSection: true,
  },
  {
    purpose: "advertising",
    labels:
      "advertisement|advertising|ad|ads|sponsored|sponsored content|promoted|paid content|skip advertisement|advertisement - continue reading below|story continues below advertisement|anzeige|werbung|publicité|annonce|contenu sponsorisé|publicidad|anuncio|contenido patrocinado|pubblicità|contenuto sponsorizzato|publicidade|anúncio|advertentie|gesponsord|reklama|artykuł sponsorowany|реклама|на правах рекламы|reklam|sponsorlu içerik|広告|スポンサー|广告|赞助内容".split(
        "|",
      ),
    phrases: /(?:story|article) continues (?:below|after) (?:this )?(?:advertisement|ad)/iu,
    ownsSection: false,
  },
];
