import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { tagId } from "@pergamon-dev/html/parser/tree";
import { textOf } from "../structured/text-of.ts";
import { FURNITURE, OTHER_PRODUCTS, type PageLayout } from "./page-layout.ts";

const BUTTONS = tagSet("button a input");
const INPUT = tagId("input");
const NAMES = ["id", "name", "class", "aria-label", "value", "data-testid", "title"];
const NAMED = new AttributeNames(NAMES.join(" "));
const DISABLED = /(?<![a-z])disabled(?![a-z])/i;

/** Texts and names of add-to-cart buttons. */
const BUY =
  /add to (?:my )?(?:shopping )?(?:cart|bag|basket|trolley)|buy (?:it )?now|pre-?order|in den (?:waren|einkaufs)(?:korb|wagen)|jetzt kaufen|aggiungi al carrello|acquista ora|ajouter au panier|acheter|añadir (?:al carrito|a la cesta)|agregar al carrito|comprar|adicionar ao carrinho|in winkelwagen|in winkelmand|do koszyka|do košíka|do košíku|legg i handlekurv|läg{1,2} (?:i|till i) varukorg|læg i kurv|lisa ostukorvi|lisää ostoskoriin|adaug[aă] [iî]n co[sș]|в корзину|купить|カートに入れる|購入|加入購物車|加入购物车|立即購買|구매하기|장바구니|הוסף לסל|أضف إلى|sepete ekle|add_?to_?(?:cart|bag|basket)|add-to-(?:cart|bag|basket)|addtocart|addtobag|buybox|buy-now/iu;

export interface BuyButton {
  readonly node: number;
  readonly isDisabled: boolean;
}

/** Buy buttons outside areas of other products, in document order. */
export function findBuyButtons({ tree, inside }: PageLayout): readonly BuyButton[] {
  const buttons: BuyButton[] = [];
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node] ?? 0;
    if (BUTTONS[tag] === 0 || ((inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE)) !== 0) continue;
    let text = textOf(tree, node, 80);
    for (const name of tree.mayHave(node, NAMED) ? NAMES : [])
      text += ` ${name === "value" && tag !== INPUT ? "" : (tree.attribute(node, name) ?? "").slice(0, 200)}`;
    if (!BUY.test(text)) continue;
    const isDisabled =
      tree.attribute(node, "disabled") !== undefined ||
      tree.attribute(node, "aria-disabled") === "true" ||
      DISABLED.test(tree.attribute(node, "class") ?? "");
    buttons.push({ node, isDisabled });
  }
  return buttons;
}
