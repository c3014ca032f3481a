import { fenced } from "./fence.ts";

export const VERSION = 1;

export const SCHEMA = {
  type: "object",
  properties: {
    voice: { type: "string", description: "How the page speaks, in a few words, such as: warm and direct." },
    emojiUsage: { type: "string", enum: ["none", "some", "many"] },
    targetAudience: { type: "string", description: "Whom the page speaks to, in a few words." },
    energy: { type: "string", enum: ["low", "medium", "high"] },
    tone: {
      type: "string",
      enum: ["bold", "minimalist", "modern", "playful", "professional", "traditional"],
    },
  },
  required: ["voice", "emojiUsage", "targetAudience", "energy", "tone"],
  additionalProperties: false,
};

export const SYSTEM =
  "You describe how the brand behind one web page speaks, from the text of the page and from how it looks. Be short, and answer in English.";

/** @param look what was measured of the page's look. */
export function userText(page: string, look: object): string {
  return `${fenced(page)}\n\nHow the page looks: ${JSON.stringify(look).slice(0, 4000)}`;
}
