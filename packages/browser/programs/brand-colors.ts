/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, opacity: number];

export const WHITE: Color = [255, 255, 255, 1];
export const DARK: Color = [18, 18, 18, 1];
const CLEAR: Color = [0, 0, 0, 0];
/** Paint that is less opaque cannot be seen. */
const MIN_OPACITY = 0.05;
const GRADIENT_STOP = /(?:rgba?|oklch|oklab|lab|lch|hsla?|color)\([^()]*\)/;

/** Reads colours as CSS has them, each spelling once. */
export class Palette {
  readonly #canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  readonly #known = new Map<string, Color>();

  read(text: string): Color {
    const known = this.#known.get(text);
    if (known) return known;
    const color = plainColor(text) ?? this.#paint(text);
    this.#known.set(text, color);
    return color;
  }

  /** The first colour of a gradient that covers what is behind it. */
  gradientOf(style: CSSStyleDeclaration | undefined): Color | undefined {
    const image = style?.backgroundImage ?? "";
    const start = image.indexOf("gradient(");
    const stop = start === -1 ? undefined : GRADIENT_STOP.exec(image.slice(start))?.[0];
    const color = stop === undefined ? undefined : this.read(stop);
    return color && color[3] > 0.5 ? color : undefined;
  }

  /** Colours that are not plain `rgb()`, such as `oklch()`, are what a canvas makes of them. */
  #paint(text: string): Color {
    const canvas = this.#canvas;
    if (!canvas || !text || text === "none") return CLEAR;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = "#000";
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, opacity = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, opacity / 255];
  }
}

export function isPainted(color: Color): boolean {
  return color[3] > MIN_OPACITY;
}

/** A colour mixed with what is behind it. */
export function over(color: Color, behind: Color): Color {
  const [red, green, blue, opacity] = color;
  const mix = (front: number, back: number) => front * opacity + back * (1 - opacity);
  return [mix(red, behind[0]), mix(green, behind[1]), mix(blue, behind[2]), 1];
}

/** `#RRGGBB`. */
export function hex([red, green, blue]: Color): string {
  const digits = [red, green, blue].map((value) => Math.round(value).toString(16).padStart(2, "0"));
  return `#${digits.join("").toUpperCase()}`;
}

/** 0 for greys, 1 for pure colours. */
export function chroma([red, green, blue]: Color): number {
  return (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255;
}

function plainColor(text: string): Color | undefined {
  const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  if (!plain) return undefined;
  const [, red, green, blue, opacity = 1] = plain;
  return [Number(red), Number(green), Number(blue), Number(opacity)];
}
