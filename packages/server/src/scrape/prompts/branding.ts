import { fenced } from "./fence.ts";

export const VERSION = 2;

/** Choices that the measurements leave open, numbered from 0. */
interface OpenChoices {
  readonly logos: readonly object[];
  readonly primaries: readonly string[];
}

const VOICE = {
  voice: {
    type: "string",
    description: "The tone of the text in a few words, for example: warm and direct.",
  },
  emojiUsage: { type: "string", enum: ["none", "some", "many"] },
  targetAudience: { type: "string", description: "The audience of the page in a few words." },
  energy: { type: "string", enum: ["low", "medium", "high"] },
  tone: {
    type: "string",
    enum: ["bold", "minimalist", "modern", "playful", "professional", "traditional"],
  },
};

const LOGO = { type: "integer", description: "Number of the image that is the logo of the brand." };
const PRIMARY = { type: "integer", description: "Number of the main colour of the brand." };

export function schemaFor({ logos, primaries }: OpenChoices): object {
  const properties = {
    ...VOICE,
    ...(logos.length > 0 && { logo: LOGO }),
    ...(primaries.length > 0 && { primaryColor: PRIMARY }),
  };
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

export const SYSTEM =
  "Describe the voice of the brand behind a web page. Use the text of the page and its look. Be brief. Answer in English.";

/** @param look the measurements of the page. */
export function userText(page: string, look: object, { logos, primaries }: OpenChoices): string {
  const parts = [fenced(page), `The look of the page. ${fenced(JSON.stringify(look).slice(0, 4000))}`];
  if (logos.length > 0) parts.push(`One of these images is the logo. ${fenced(numbered(logos))}`);
  if (primaries.length > 0)
    parts.push(`One of these button colours is the main colour. ${fenced(numbered(primaries))}`);
  return parts.join("\n\n");
}

function numbered(choices: readonly unknown[]): string {
  return choices.map((choice, number) => `${number}: ${JSON.stringify(choice).slice(0, 500)}`).join("\n");
}
