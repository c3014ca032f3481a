import { TEXT } from "../parser/tree.ts";
import type { PageTables } from "./tables/page-tables.ts";

const STOP = 0x2e;
const ELLIPSIS = 0x2026;
const MAX_CHARS = 40;
/** What stands where scripts will put something, in the languages of most pages. */
const LOADING =
  /^\s*(?:(?:now |still )?loading|please wait|one moment|lädt|lade|wird geladen|bitte warten|chargement|veuillez patienter|cargando|espere|caricamento|attendere|carregando|aguarde|laden|even geduld|indlæser|laster|laddar|ladataan|ładowanie|wczytywanie|načítání|загрузка|загружается|завантаження|yükleniyor|đang tải|memuat|読み込み中|加载中|正在加载|載入中|불러오는 중|로딩 중)(?:\s+(?:more|content|data|page|reviews|results|products|items|en cours))?\s?(?:\.{2,4}|…)\s*$/i;

/** Leaves out marks that say that something is being loaded. */
export function dropLoadingMarks({ tree, blocks, texts }: PageTables, adjusted: Float32Array): void {
  for (let block = 0; block < blocks.size; block++) {
    const end = texts.lastCode[block] ?? 0;
    if ((end !== STOP && end !== ELLIPSIS) || (texts.chars[block] ?? 0) > MAX_CHARS) continue;
    let text = "";
    const last = blocks.last[block] ?? 0;
    for (let node = blocks.first[block] ?? 0; node <= last; node++)
      if (tree.tag[node] === TEXT) text += tree.text(node);
    if (LOADING.test(text)) adjusted[block] = 0;
  }
}
