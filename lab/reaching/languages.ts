/** What pages say, in own words. */
export interface Language {
  readonly code: string;
  readonly wait: string;
  readonly blocked: string;
  readonly needsScripts: string;
  readonly puzzle: string;
  readonly cookies: string;
  readonly accept: string;
  readonly refuse: string;
  readonly closed: string;
  readonly welcome: string;
  readonly sentence: string;
  readonly back: string;
  readonly send: string;
}

const NAMES = [
  "code",
  "wait",
  "blocked",
  "needsScripts",
  "puzzle",
  "cookies",
  "accept",
  "refuse",
  "closed",
  "welcome",
  "sentence",
  "back",
  "send",
] as const;

const ROWS: readonly (readonly string[])[] = [
  // prettier-ignore
  ["en", "One moment, your browser is being looked at", "Sorry, you cannot see this", "Scripts have to be on here", "Show that you are a person", "May we use cookies and similar techniques?", "Accept all", "Reject all", "We are working on the site and will be back soon", "Welcome to our small shop", "The bakery opens at seven and closes when the bread is sold.", "Back to the start", "Send"],
  ["de", "Einen Augenblick, Ihr Browser wird angesehen", "Sie dürfen diese Seite leider nicht sehen", "Hier müssen Skripte an sein", "Zeigen Sie, dass Sie ein Mensch sind", "Dürfen wir Cookies und ähnliche Techniken verwenden?", "Alle akzeptieren", "Alle ablehnen", "Wir arbeiten an der Seite und sind bald wieder da", "Willkommen in unserem kleinen Laden", "Die Bäckerei öffnet um sieben und schließt, wenn das Brot verkauft ist.", "Zurück zum Anfang", "Senden"],
  ["fr", "Un instant, nous regardons votre navigateur", "Désolé, cette page vous est fermée", "Les scripts doivent être actifs ici", "Montrez que vous êtes une personne", "Pouvons-nous utiliser des cookies ?", "Tout accepter", "Tout refuser", "Nous travaillons sur le site, à bientôt", "Bienvenue dans notre petite boutique", "La boulangerie ouvre à sept heures et ferme quand le pain est vendu.", "Retour au début", "Envoyer"],
  ["es", "Un momento, miramos su navegador", "Lo sentimos, no puede ver esta página", "Aquí los scripts deben estar activos", "Demuestre que es una persona", "¿Podemos usar cookies y técnicas parecidas?", "Aceptar todo", "Rechazar todo", "Trabajamos en el sitio y volvemos pronto", "Bienvenidos a nuestra pequeña tienda", "La panadería abre a las siete y cierra cuando se acaba el pan.", "Volver al inicio", "Enviar"],
  ["it", "Un attimo, guardiamo il suo browser", "Spiacenti, questa pagina per lei è chiusa", "Qui gli script devono essere attivi", "Mostri di essere una persona", "Possiamo usare cookie e tecniche simili?", "Accetta tutto", "Rifiuta tutto", "Lavoriamo al sito e torniamo presto", "Benvenuti nel nostro piccolo negozio", "Il forno apre alle sette e chiude quando il pane è finito.", "Torna all'inizio", "Invia"],
  ["pt", "Um instante, vemos o seu navegador", "Lamentamos, não pode ver esta página", "Aqui os scripts têm de estar ligados", "Mostre que é uma pessoa", "Podemos usar cookies e técnicas parecidas?", "Aceitar tudo", "Rejeitar tudo", "Estamos a trabalhar no site e voltamos em breve", "Bem-vindos à nossa pequena loja", "A padaria abre às sete e fecha quando o pão acaba.", "Voltar ao início", "Enviar"],
  ["nl", "Een ogenblik, we bekijken uw browser", "Helaas mag u deze pagina niet zien", "Scripts moeten hier aan staan", "Laat zien dat u een mens bent", "Mogen wij cookies gebruiken?", "Alles accepteren", "Alles weigeren", "We werken aan de site en zijn zo terug", "Welkom in onze kleine winkel", "De bakker opent om zeven uur en sluit als het brood op is.", "Terug naar het begin", "Versturen"],
  ["pl", "Chwileczkę, oglądamy przeglądarkę", "Niestety nie można zobaczyć tej strony", "Skrypty muszą być włączone", "Pokaż, że jesteś człowiekiem", "Czy możemy używać plików cookie?", "Akceptuj wszystko", "Odrzuć wszystko", "Pracujemy nad stroną, zaraz wracamy", "Witamy w naszym małym sklepie", "Piekarnia otwiera o siódmej i zamyka, gdy skończy się chleb.", "Wróć na początek", "Wyślij"],
  ["ru", "Минуту, мы смотрим на ваш браузер", "К сожалению, эта страница для вас закрыта", "Здесь нужны скрипты", "Покажите, что вы человек", "Можно ли нам использовать файлы cookie?", "Принять все", "Отклонить все", "Мы работаем над сайтом и скоро вернёмся", "Добро пожаловать в наш магазин", "Пекарня открывается в семь и закрывается, когда продан хлеб.", "В начало", "Отправить"],
  ["ja", "少々お待ちください。ブラウザを見ています", "申し訳ありませんが、このページは見られません", "ここではスクリプトが必要です", "人であることを示してください", "クッキーを使ってもよいですか。", "すべて許可", "すべて拒否", "ただいま作業中です。すぐに戻ります", "小さな店へようこそ", "パン屋は七時に開き、パンが売り切れたら閉まります。", "最初に戻る", "送る"],
  ["zh", "请稍等，正在查看您的浏览器", "抱歉，您不能查看此页", "这里需要脚本", "请证明您是真人", "我们可以使用 cookie 吗？", "全部接受", "全部拒绝", "网站正在维护，稍后回来", "欢迎来到我们的小店", "面包店七点开门，面包卖完就关门。", "回到开头", "发送"],
  ["tr", "Bir dakika, tarayıcınıza bakıyoruz", "Üzgünüz, bu sayfa size kapalı", "Burada betikler açık olmalı", "İnsan olduğunuzu gösterin", "Çerezleri (cookie) kullanabilir miyiz?", "Tümünü kabul et", "Tümünü reddet", "Sitede çalışıyoruz, birazdan döneriz", "Küçük dükkânımıza hoş geldiniz", "Fırın yedide açılır, ekmek bitince kapanır.", "Başa dön", "Gönder"],
  ["ar", "لحظة من فضلك، ننظر إلى متصفحك", "عذرا، لا يمكنك رؤية هذه الصفحة", "يجب تشغيل البرامج النصية هنا", "أثبت أنك إنسان", "هل يمكننا استخدام cookie؟", "قبول الكل", "رفض الكل", "نعمل على الموقع وسنعود قريبا", "مرحبا بكم في متجرنا الصغير", "يفتح المخبز في السابعة ويغلق عندما يباع الخبز.", "العودة إلى البداية", "إرسال"],
];

export const LANGUAGES: readonly Language[] = ROWS.map(
  (row) => Object.fromEntries(NAMES.map((name, at) => [name, row[at] ?? ""])) as unknown as Language,
);
