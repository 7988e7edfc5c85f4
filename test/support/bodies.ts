import { randomQuaternions } from "../../bench/cases/rotation.js";
import { randomVector, seeded } from "./random.js";
import { scratch } from "./scratch.js";

/** Memory for rotations of some bodies: e of unit length, f of any, vectors, room for results. */
export function bodies(count: number, seed: number) {
  const random = seeded(seed);
  const made = scratch({
    e: randomQuaternions(random, count),
    f: randomQuaternions(random, count),
    w: randomVector(random, 3 * count),
    v: randomVector(random, 3 * count),
    out: 4 * count,
    vector: 3 * count,
    r: 9 * count,
    s: 9 * count,
    t: 9 * count,
    g: 16,
  });
  made.kernels.normalise(count, made.e.address, made.e.address);
  return made;
}
