// Pseudorandom numbers that are the same in every run.

/** Returns numbers from 0 up to but not including 1, determined by the seed (xorshift32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** Returns incompressible bytes. */
export function createNoise(bytes: number, seed: number): Uint8Array {
  const random = createRandom(seed);
  const words = new Uint32Array(Math.ceil(bytes / 4));
  for (let index = 0; index < words.length; index += 1) words[index] = random() * 4_294_967_296;
  return new Uint8Array(words.buffer, 0, bytes);
}
