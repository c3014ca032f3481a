/** Maps (x, y) to (a·x + c·y + e, b·x + d·y + f), in PDF's notation (PDF 1.7, section 8.3.3). */
export interface Matrix {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** The matrix that applies `first`, then `second`. */
export function chained(first: Matrix, second: Matrix): Matrix {
  return {
    a: first.a * second.a + first.b * second.c,
    b: first.a * second.b + first.b * second.d,
    c: first.c * second.a + first.d * second.c,
    d: first.c * second.b + first.d * second.d,
    e: first.e * second.a + first.f * second.c + second.e,
    f: first.e * second.b + first.f * second.d + second.f,
  };
}

export function mapX({ a, c, e }: Matrix, x: number, y: number): number {
  return a * x + c * y + e;
}

export function mapY({ b, d, f }: Matrix, x: number, y: number): number {
  return b * x + d * y + f;
}
