import type { MadeRandom } from "../training/made/random.ts";

/** Words that mean nothing together: what is measured is where they come out. */
interface Writing {
  readonly language: string;
  readonly words: readonly string[];
  /** Between words. */
  readonly space: string;
  readonly end: string;
  readonly isRightToLeft?: boolean;
}

const wordsOf = (text: string): readonly string[] => text.split(" ");

export const WRITINGS = {
  english: {
    language: "en",
    words: wordsOf(
      "harbour lantern ferry timber market bridge winter office keeper valley orchard signal meadow copper ledger anchor parish quarry stone river the of under with near every between rises keeps carries opens follows settles small grey early northern quiet",
    ),
    space: " ",
    end: ".",
  },
  german: {
    language: "de",
    words: wordsOf(
      "Hafen Laterne Fähre Brücke Winter Wiese Kupfer Anker Mühle Straße Fluss Garten Ofen Tür Gebäude über unter neben zwischen jeder trägt öffnet folgt schließt klein grün früh ruhig nördlich größer",
    ),
    space: " ",
    end: ".",
  },
  russian: {
    language: "ru",
    words: wordsOf(
      "гавань фонарь паром мост зима контора сторож долина сигнал луг медь якорь камень река под над между каждый несёт открывает следует малый серый ранний тихий северный",
    ),
    space: " ",
    end: ".",
  },
  greek: {
    language: "el",
    words: wordsOf(
      "λιμάνι φανάρι γέφυρα χειμώνας γραφείο φύλακας κοιλάδα σήμα χαλκός άγκυρα πέτρα ποτάμι κάτω κοντά κάθε ανοίγει ακολουθεί μικρός γκρίζος ήσυχος βόρειος",
    ),
    space: " ",
    end: ".",
  },
  hebrew: {
    language: "he",
    words: wordsOf("נמל פנס מעבורת גשר חורף משרד שומר עמק אות אחו נחושת עוגן אבן נהר תחת ליד כל פותח נושא קטן אפור מוקדם שקט צפוני"),
    space: " ",
    end: ".",
    isRightToLeft: true,
  },
  arabic: {
    language: "ar",
    words: wordsOf("ميناء مصباح عبارة جسر شتاء مكتب حارس وادي مرج نحاس مرساة حجر نهر تحت قرب كل يفتح يحمل صغير رمادي مبكر هادئ شمالي"),
    space: " ",
    end: ".",
    isRightToLeft: true,
  },
  japanese: {
    language: "ja",
    words: wordsOf("港の 灯台は 渡し舟と 橋を 冬に 事務所で 番人が 谷へ 果樹園 信号と 牧場の 銅を 帳簿に 石と 川の 静かな 小さい 北の 開いて 運ぶ 続く 朝早く"),
    space: "",
    end: "。",
  },
  chinese: {
    language: "zh",
    words: wordsOf("港口 灯笼 渡船 桥梁 冬天 办公室 看守 山谷 果园 信号 草地 铜板 账本 船锚 石头 河流 安静 微小 北方 打开 运送 跟随 清早"),
    space: "",
    end: "。",
  },
  korean: {
    language: "ko",
    words: wordsOf("항구의 등불은 나룻배와 다리를 겨울에 사무실에서 지기가 골짜기로 과수원 신호와 풀밭의 구리를 장부에 돌과 강의 조용한 작은 북쪽 열고 나르는 이어지는"),
    space: " ",
    end: ".",
  },
  thai: {
    language: "th",
    words: wordsOf("ท่าเรือ โคมไฟ สะพาน ฤดูหนาว สำนักงาน หุบเขา สวน สัญญาณ ทุ่งหญ้า ทองแดง สมอ หิน แม่น้ำ เงียบ เล็ก เหนือ เปิด ตาม"),
    space: "",
    end: "",
  },
} as const satisfies Record<string, Writing>;

export type WritingName = keyof typeof WRITINGS;

/** Text in one script, by a seed. */
export class MadeText {
  readonly writing: Writing;
  readonly #random: MadeRandom;

  constructor(name: WritingName, random: MadeRandom) {
    this.writing = WRITINGS[name];
    this.#random = random;
  }

  words(least: number, most: number): string {
    const { words, space } = this.writing;
    const text = this.#random.some(words, this.#random.between(least, most)).join(space);
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  sentence(): string {
    return this.words(6, 14) + this.writing.end;
  }

  paragraph(least: number, most: number): string {
    const sentences = Array.from({ length: this.#random.between(least, most) }, () => this.sentence());
    return sentences.join(this.writing.end === "。" ? "" : " ");
  }
}
