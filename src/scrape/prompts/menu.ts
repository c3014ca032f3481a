import { fenced } from "./fence.ts";

export const VERSION = 1;

const ITEM = {
  type: "object",
  properties: {
    name: { type: "string" },
    description: { type: "string", description: "As the page writes it. Empty when it has none." },
    price: {
      type: "string",
      description: "As the page writes it, with its currency. Empty when it has none.",
    },
  },
  required: ["name", "description", "price"],
  additionalProperties: false,
};

export const SCHEMA = {
  type: "object",
  properties: {
    isMenu: {
      type: "boolean",
      description: "Whether the page has dishes or drinks of a restaurant with prices.",
    },
    sections: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, items: { type: "array", items: ITEM } },
        required: ["name", "items"],
        additionalProperties: false,
      },
    },
  },
  required: ["isMenu", "sections"],
  additionalProperties: false,
};

export const SYSTEM =
  "You take the menu of a restaurant from the text of one web page and from nothing else. Copy names, descriptions and prices exactly. Shops, plans and price lists of other things are no menus.";

/** @param hint what rules found of it. */
export function userText(page: string, hint: object): string {
  return `${fenced(page)}\n\nA search of the page found this. ${fenced(JSON.stringify(hint).slice(0, 8000))}`;
}
