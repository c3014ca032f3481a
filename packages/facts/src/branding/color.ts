type Rgb = readonly [red: number, green: number, blue: number];

/** Two colours nearer than this look the same. Distance in RGB, of 441. */
const NEAR = 18;
/** Where the curve of sRGB bends (WCAG 2, relative luminance). */
const LINEAR_BELOW = 0.03928;

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

/** 0 for black to 1 for white, as eyes see it (WCAG 2). */
export function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((value) => {
    const share = value / 255;
    return share <= LINEAR_BELOW ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 for the same colour to 21 for black on white (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** 0 for grey to 1 for the strongest colour. */
export function chroma(color: string): number {
  const parts = rgbOf(color);
  return (Math.max(...parts) - Math.min(...parts)) / 255;
}

export function differs(one: string, other: string): boolean {
  const [a, b] = [rgbOf(one), rgbOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) > NEAR;
}
