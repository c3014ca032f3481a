import { fenced } from "./fence.ts";

export const VERSION = 2;

export const SCHEMA = {
  type: "object",
  properties: {
    found: { type: "boolean", description: "Whether the page answers the question." },
    answer: {
      type: "string",
      description: "The answer, in at most 400 characters. Empty when it is not found.",
    },
  },
  required: ["found", "answer"],
  additionalProperties: false,
};

export const SYSTEM =
  "You answer a question from the text of one web page and from nothing else. Be short, answer in the language of the question, copy figures and names exactly, and say that it is not found when the page does not tell.";

export function userText(page: string, question: string, hint: string): string {
  return `${fenced(page)}\n\nQuestion: ${question}\n\nA search for the question's words found this. ${fenced(hint)}`;
}
