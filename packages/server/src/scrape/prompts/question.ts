import { fenced } from "./fence.ts";

export const VERSION = 3;

export const SCHEMA = {
  type: "object",
  properties: {
    found: { type: "boolean", description: "Whether the page answers the question." },
    answer: {
      type: "string",
      description: "The answer, in at most 400 characters. Empty if the page does not answer the question.",
    },
  },
  required: ["found", "answer"],
  additionalProperties: false,
};

export const SYSTEM =
  "Answer a question from the text of a web page. Use nothing else. Be brief. Answer in the language of the question. Copy figures and names exactly. If the page does not answer the question, set found to false.";

export function userText(page: string, question: string, hint: string): string {
  return `${fenced(page)}\n\nQuestion: ${question}\n\nA search for the words of the question found this. ${fenced(hint)}`;
}
