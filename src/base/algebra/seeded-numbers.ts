/** Returns a generator of pseudorandom numbers between 0 and 1, the same on all machines (Park and Miller 1988). */
export function seededNumbers(seed = 1): () => number {
  let last = seed;
  return () => {
    last = (last * 48271) % 2147483647;
    return last / 2147483647;
  };
}
