import { z } from "zod";

const Color = z.string().regex(/^#[0-9A-F]{6}$/);
const Size = z.string();
const Url = z.string();

/** Makes all members optional, because a page does not show everything. */
function shown<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).partial();
}

const Button = shown({ background: Color, textColor: Color, borderColor: Color, borderRadius: Size });
const Families = shown({ primary: z.string(), heading: z.string(), code: z.string() });
const Stack = z.array(z.string());

/** Properties that only a reader of the text can judge. */
export const BrandVoice = z.strictObject({
  tone: z.strictObject({ voice: z.string(), emojiUsage: z.string() }),
  personality: z.strictObject({
    targetAudience: z.string(),
    energy: z.enum(["low", "medium", "high"]),
    tone: z.enum(["bold", "minimalist", "modern", "playful", "professional", "traditional"]),
  }),
});

/**
 * `branding` of a scrape (contract, section 3.13a). Colours are `#RRGGBB`, sizes CSS lengths, addresses
 * absolute.
 */
export const Branding = z
  .strictObject({
    colorScheme: z.enum(["light", "dark"]),
    brandName: z.string().exactOptional(),
    logo: Url.exactOptional().describe("URL of the logo; a data URI for an inline logo."),
    colors: shown({
      primary: Color,
      secondary: Color,
      accent: Color,
      background: Color,
      textPrimary: Color,
      textSecondary: Color,
      link: Color,
    }),
    fonts: z.array(z.strictObject({ family: z.string() })).describe("Most used first."),
    typography: z.strictObject({
      fontFamilies: Families,
      fontStacks: shown({ primary: Stack, heading: Stack, code: Stack }),
      fontSizes: shown({ h1: Size, h2: Size, h3: Size, body: Size }),
      fontWeights: shown({
        light: z.int(),
        regular: z.int(),
        medium: z.int(),
        bold: z.int(),
        heading: z.int(),
      }),
      lineHeights: shown({ heading: z.number(), body: z.number() }).describe("Multiples of the font size."),
    }),
    spacing: shown({ baseUnit: z.int().describe("In pixels."), borderRadius: Size, gridGutter: Size }),
    components: shown({
      buttonPrimary: Button,
      buttonSecondary: Button,
      input: shown({ borderColor: Color, borderRadius: Size }),
    }),
    images: shown({ logo: Url, favicon: Url, ogImage: Url }),
    animations: z.strictObject({ transitionDuration: z.string(), easing: z.string() }).exactOptional(),
    layout: shown({
      grid: shown({ columns: z.int(), maxWidth: Size }),
      headerHeight: Size,
      footerHeight: Size,
    }),
    tone: BrandVoice.shape.tone.exactOptional().describe("Only with a language model."),
    personality: BrandVoice.shape.personality.exactOptional().describe("Only with a language model."),
  })
  .describe("The visual brand of the page.");
