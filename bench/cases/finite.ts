import { Status, statusCode, statusIndex } from "nodrift/kernels";
import { randomVector } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

export const finiteCases: readonly KernelCase[] = [
  {
    name: "Search for NaN",
    kernels: ["checkFinite"],
    factorisation: false,
    run(random, n) {
      const { kernels, x } = scratch({ x: randomVector(random, n) });
      const clean = kernels.checkFinite(n, x.address);
      const place = n >> 1;
      x.view[place] = Number.NaN;
      const found = kernels.checkFinite(n, x.address);
      const right =
        clean === Status.OK &&
        statusCode(found) === Status.NON_FINITE &&
        statusIndex(found) === place;
      return { error: right ? 0 : 1, results: [Float64Array.of(clean, found)] };
    },
  },
];
