import { fenced } from "./fence.ts";

export const VERSION = 1;

/** What measures leave open, numbered from 0; empty where they do not. */
export interface OpenChoices {
  readonly logos: readonly object[];
  readonly primaries: readonly string[];
}

const VOICE = {
  voice: { type: "string", description: "How the page speaks, in a few words, such as: warm and direct." },
  emojiUsage: { type: "string", enum: ["none", "some", "many"] },
  targetAudience: { type: "string", description: "Whom the page speaks to, in a few words." },
  energy: { type: "string", enum: ["low", "medium", "high"] },
  tone: {
    type: "string",
    enum: ["bold", "minimalist", "modern", "playful", "professional", "traditional"],
  },
};

const LOGO = { type: "integer", description: "Number of the picture that is the logo of the brand." };
const PRIMARY = { type: "integer", description: "Number of the colour that is the main one of the brand." };

export function schemaFor({ logos, primaries }: OpenChoices): object {
  const properties = {
    ...VOICE,
    ...(logos.length > 0 && { logo: LOGO }),
    ...(primaries.length > 0 && { primaryColor: PRIMARY }),
  };
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

export const SYSTEM =
  "You describe how the brand behind one web page speaks, from the text of the page and from how it looks. Be short, and answer in English.";

/** @param look what was measured of the page's look. */
export function userText(page: string, look: object, { logos, primaries }: OpenChoices): string {
  const parts = [fenced(page), `How the page looks. ${fenced(JSON.stringify(look).slice(0, 4000))}`];
  if (logos.length > 0) parts.push(`One of these pictures is the logo. ${fenced(numbered(logos))}`);
  if (primaries.length > 0)
    parts.push(`One of these colours of buttons is the main one. ${fenced(numbered(primaries))}`);
  return parts.join("\n\n");
}

function numbered(choices: readonly unknown[]): string {
  return choices.map((choice, number) => `${number}: ${JSON.stringify(choice).slice(0, 500)}`).join("\n");
}
