import { choleskyContest } from "../contests/cholesky.js";
import { codContest } from "../contests/cod.js";
import type { Contest, Size } from "../contests/contest.js";
import { fullPivotLuContest } from "../contests/full-pivot-lu.js";
import { pivotedQrContest } from "../contests/pivoted-qr.js";
import { svdContest } from "../contests/svd.js";
import { race, speedup, type Timing } from "../support/race.js";
import { atLeast, type Figure } from "./figure.js";

/** Entrants of a contest, timed against each other at one size. */
function measure(contest: Contest, [m, n]: Size, names: readonly string[]): Timing[] {
  const runs = names.map((name) => [name, contest.entrants[name](m, n)] as const);
  return race(Object.fromEntries(runs), { rounds: 15, time: 30 });
}

interface Target {
  readonly contest: Contest;
  /** Entrant that wasm is compared with. */
  readonly opponent: string;
  /** Size and minimum speed-up. */
  readonly targets: readonly (readonly [size: Size, times: number])[];
}

const TARGETS: readonly Target[] = [
  {
    contest: choleskyContest,
    opponent: "plain js",
    targets: [
      [[6, 6], 1.1],
      [[12, 12], 2.3],
      [[24, 24], 4.5],
      [[48, 48], 7.5],
      [[96, 96], 9],
    ],
  },
  {
    contest: choleskyContest,
    opponent: "blocked js",
    targets: [
      [[12, 12], 1.7],
      [[24, 24], 2.6],
      [[48, 48], 3.8],
      [[96, 96], 4.4],
    ],
  },
  {
    contest: codContest,
    opponent: "plain js",
    targets: [
      [[3, 4], 1.8],
      [[5, 6], 2.4],
      [[9, 9], 2.7],
      [[30, 60], 5],
    ],
  },
  {
    contest: svdContest,
    opponent: "ml-matrix",
    targets: [
      [[9, 9], 6],
      [[30, 60], 10],
    ],
  },
  { contest: pivotedQrContest, opponent: "plain js", targets: [[[48, 48], 3]] },
  { contest: fullPivotLuContest, opponent: "plain js", targets: [[[48, 48], 2.5]] },
];

/** Speed-up of the kernels over JavaScript. */
export function* speedFigures(): Generator<Figure> {
  for (const { contest, opponent, targets } of TARGETS) {
    for (const [size, times] of targets) {
      const timings = measure(contest, size, ["wasm", opponent]);
      const name = `${contest.name}, times faster than ${opponent}, ${size.join("x")}`;
      yield atLeast(name, speedup(timings, opponent), times);
    }
  }
}
