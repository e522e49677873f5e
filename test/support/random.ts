// Chance that is the same in every run.

/** Numbers from 0 up to 1, the same for the same seed (xorshift32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** Bytes that no compressor makes smaller. */
export function createNoise(bytes: number, seed: number): Uint8Array {
  const random = createRandom(seed);
  const words = new Uint32Array(Math.ceil(bytes / 4));
  for (let index = 0; index < words.length; index += 1) words[index] = random() * 4_294_967_296;
  return new Uint8Array(words.buffer, 0, bytes);
}
