/**
 * How the browser painted the page; the input for brand profiles. Colours are `#RRGGBB`, with transparent
 * ones blended with what is behind. Sizes are CSS pixels. Lists are in document order.
 */
export interface BrandEvidence {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly pageHeight: number;
  /** Background colour of the page itself; undefined if it has none. */
  readonly rootColor?: string;
  readonly surfaces: readonly Surface[];
  readonly texts: readonly BrandTextStyle[];
  readonly buttons: readonly ButtonStyle[];
  readonly inputs: readonly InputStyle[];
  readonly badges: readonly Weighted[];
  /** Paddings, margins and gaps that are whole pixels. */
  readonly distances: readonly Weighted<number>[];
  readonly grids: readonly { readonly columns: number; readonly gap: string }[];
  /** Maximum widths of content, weighted by the height of the content. */
  readonly contentWidths: readonly Weighted[];
  readonly headerHeight?: number;
  readonly footerHeight?: number;
  /** Candidate pictures. */
  readonly logos: readonly LogoCandidate[];
  readonly favicon?: string;
  readonly socialImage?: string;
  readonly siteName?: string;
}

/** A model's choices among the likely candidates. Other choices are ignored. */
export interface BrandDecisions {
  /** URL of the logo. */
  readonly logo?: string | undefined;
  readonly primary?: string | undefined;
}

export interface Weighted<Value = string> {
  readonly value: Value;
  readonly weight: number;
}

export interface Surface {
  readonly color: string;
  /** In square pixels, including overlapped parts. */
  readonly area: number;
  /** A gradient counts with its first colour. */
  readonly kind: "color" | "gradient";
  /** True if it is the background of code. */
  readonly isCode: boolean;
}

/** Use of a text style: `prose` for paragraphs, list items and cells; `h1` to `h3` for headings. */
export type TextUse = "h1" | "h2" | "h3" | "prose" | "code" | "link" | "chrome-link" | "other";

/** Text with one style. */
export interface BrandTextStyle {
  readonly use: TextUse;
  readonly color: string;
  /** Colour behind the text. */
  readonly background: string;
  /** As in CSS: families in order of preference. */
  readonly family: string;
  readonly size: string;
  readonly weight: number;
  /** In pixels; undefined if the font decides. */
  readonly lineHeight?: number;
  readonly letters: number;
}

export interface ButtonStyle {
  readonly background?: string;
  readonly textColor: string;
  readonly borderColor?: string;
  readonly borderRadius: string;
  readonly top: number;
  readonly area: number;
  readonly transitionDuration: string;
  readonly easing: string;
}

export interface InputStyle {
  readonly borderColor?: string;
  readonly borderRadius: string;
}

export interface LogoCandidate {
  /** Absolute URL, or an inline drawing as `data:` URI. */
  readonly url: string;
  readonly alt: string;
  readonly isInHeader: boolean;
  readonly linksHome: boolean;
  readonly top: number;
  readonly width: number;
}
