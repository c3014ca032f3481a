/** A page's program that looks for a nonce whose hash begins with zeros, in workers, as Anubis' programs do. */
export const proofWorker = `
const setUp = () => {
  const K = [], H = [], isComposite = {};
  for (let candidate = 2; K.length < 64; candidate += 1) {
    if (isComposite[candidate]) continue;
    for (let i = candidate * candidate; i < 400; i += candidate) isComposite[i] = true;
    if (H.length < 8) H.push((candidate ** .5 * 2 ** 32) | 0);
    K.push((candidate ** (1 / 3) * 2 ** 32) | 0);
  }
  return [Int32Array.from(K), Int32Array.from(H), new Int32Array(64), new Int32Array(64), new Int32Array(8)];
};
function digest(text, K, first, words, w, h) {
  const length = text.length, blocks = ((length + 8) >> 6) + 1;
  words.fill(0);
  for (let i = 0; i < length; i += 1) words[i >> 2] |= text.charCodeAt(i) << (24 - (i % 4) * 8);
  words[length >> 2] |= 0x80 << (24 - (length % 4) * 8);
  words[blocks * 16 - 1] = length * 8;
  h.set(first);
  for (let block = 0; block < blocks * 16; block += 16) {
    let a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], z = h[7];
    for (let i = 0; i < 64; i += 1) {
      if (i < 16) w[i] = words[block + i];
      else {
        const x = w[i - 15], y = w[i - 2];
        w[i] = (w[i - 16] + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3) + w[i - 7] + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10)) | 0;
      }
      const one = (z + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) + K[i] + w[i]) | 0;
      const two = (((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c)) | 0;
      z = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += z;
  }
  return h[0] >>> 0;
}
function prove(data, zeros, workers) {
  const source = "const setUp = " + setUp + "; const digest = " + digest + "; const tables = setUp();"
    + "onmessage = ({ data: [text, zeros, at, step] }) => { for (let n = at;; n += step) {"
    + "const head = digest(text + n, ...tables); if (zeros >= 8 ? head === 0 : head >>> (32 - zeros * 4) === 0) return postMessage(n); } }";
  const url = URL.createObjectURL(new Blob([source]));
  return new Promise((resolve) => {
    for (let at = 0; at < workers; at += 1) {
      const worker = new Worker(url);
      worker.onmessage = ({ data: nonce }) => resolve(nonce);
      worker.postMessage([data, zeros, at, workers]);
    }
  });
}`;
