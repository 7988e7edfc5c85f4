import { BasisKind, fullPivotLuSlots, luSlots, Status } from "../../../assembly/layout.js";
import { compareLine } from "../../base/algebra/derivative-check.js";
import { differentiate } from "../../base/algebra/differences.js";
import { callback, needed, type Shape, show, whole } from "../../base/checking/index.js";
import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { denseMemory } from "../../base/wasm/dense.js";
import { failed } from "../../base/wasm/status.js";
import type { System } from "../../interfaces/index.js";
import type { TangentSpace } from "./reduced-unknowns.js";
import { denseOf, Tangent } from "./tangent-space.js";

/**
 * Kinematic characteristics, or quasi-velocities, given by the user: e = B(q, t) v + b(q, t) (Laulusa and Bauchau
 * 2008, eq. 4). Together with the constraints they must determine v. Functions write into `out`.
 */
export interface KinematicCharacteristics {
  /** Number of characteristics, equal to the degrees of freedom. */
  readonly count: number;
  /** e, linear in v. */
  readonly value: (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;
  /** B, row-major. Default: values for unit velocities, which is exact. */
  readonly jacobian?: (q: Float64Array, out: Float64Array, t: number) => void;
  /** e' at zero accelerations, dB/dt v + db/dt. Default: finite differences of `value`. */
  readonly rate?: (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;
}

export const CHARACTERISTICS: Shape<KinematicCharacteristics> = {
  count: needed(whole(1)),
  value: needed(callback()),
  jacobian: callback(),
  rate: callback(),
};

/** Relative change of B above which it depends on v, beyond rounding. */
const NONLINEARITY_TOLERANCE = 1e-9;

/** Pivots below this fraction of the largest mean dependent rows. */
const RANK_TOLERANCE = 1e-10;

/** Displacement of coordinates, or time, along the motion for a finite difference. */
const DIFFERENCE_STEP = 2 ** -9;

/**
 * v from e by [V^T; B] v = [V^T p; e - b], with V the orthonormalised rows of the constraints, and p any velocity
 * that satisfies them. Rejected: the rows themselves, as printed, as their lengths have different units.
 */
export function bindCharacteristics(
  system: System,
  given: KinematicCharacteristics,
  tolerance: number,
): TangentSpace {
  const { workspace } = system;
  const memory = denseMemory(workspace);
  const { velocities: n } = system.coordinates;
  const { count } = given;
  const tangent = new Tangent(system, "null space of the characteristics");
  const functions = bindFunctions(system, given);
  const matrix = workspace.vector("constraints and characteristics", n * n);
  const factor = workspace.vector("factor of these", luSlots(n));
  const pivots = workspace.vector("pivots of these", fullPivotLuSlots(n, n));
  const right = workspace.vector("right side of these", n);
  const particular = workspace.vector("particular velocity", n);
  const zeta = workspace.vector("projected acceleration", n);
  const accelerations = workspace.vector("accelerations", n);
  const zero = workspace.vector("no characteristics", n);

  function refuse(words: string): SimulationError {
    const { time } = system;
    return new SimulationError("SINGULAR", time, `maggi: ${words} at t = ${time}`);
  }

  function factorAll(): void {
    const { kernels } = workspace;
    if (!tangent.frame(denseOf(system).jacobian())) {
      throw refuse(
        "the constraint directions turned by 90 degrees within one step; try a shorter one",
      );
    }
    functions.evaluate();
    kernels.copyVector(tangent.rank * n, tangent.orthonormal, matrix);
    kernels.copyVector(count * n, functions.matrix, matrix + 8 * tangent.rank * n);
    if (failed(memory.kernels.luFactor(n, matrix, n, factor))) {
      throw refuse("the characteristics and the constraints do not determine the velocities");
    }
  }

  /** Checks by complete pivoting that rows of unit length determine v, once per step. */
  function checkRank(): void {
    const { kernels } = workspace;
    for (let i = 0; i < count; i++) {
      const row = matrix + 8 * (tangent.rank + i) * n;
      kernels.axpy(n, 1 / Math.sqrt(kernels.dot(n, row, row)) - 1, row, row, row);
    }
    const status = memory.kernels.fullPivotLuFactor(n, n, matrix, n, RANK_TOLERANCE, pivots);
    if (status !== Status.OK) {
      throw refuse("the characteristics and the constraints do not determine the velocities");
    }
  }

  return {
    choose() {
      tangent.choose(BasisKind.QR, tolerance, denseOf(system).jacobian());
      if (n - tangent.rank !== count) {
        throw refuse(
          `there are ${count} characteristics, but ${n - tangent.rank} degrees of freedom`,
        );
      }
      factorAll();
      functions.checkLinear();
      checkRank();
    },
    factor: factorAll,
    velocity(e, bias, v) {
      const { kernels } = workspace;
      const { rank } = tangent;
      tangent.frameParticular(-1, bias, particular);
      kernels.matrixTransposeVector(n, rank, tangent.orthonormal, n, particular, right);
      kernels.axpy(count, -1, functions.bias, e, right + 8 * rank);
      // The matrix is row-major, so its transpose was factored.
      if (failed(memory.kernels.luSolveTransposed(n, factor, right, v))) {
        throw refuse("the characteristics and the constraints do not determine the velocities");
      }
    },
    take(v, e) {
      functions.multiply(v, e);
      workspace.kernels.axpy(count, 1, functions.bias, e, e);
    },
    rate(rows, out) {
      const { kernels } = workspace;
      tangent.frameParticular(1, rows, particular);
      tangent.accelerate(particular, zeta, accelerations);
      kernels.copyVector(n, zero, out);
      functions.multiply(accelerations, out);
      kernels.axpy(count, 1, functions.rate(), out, out);
    },
  };
}

/** Evaluates the user functions at the trial state and stores their results in memory. */
function bindFunctions(system: System, given: KinematicCharacteristics) {
  const { workspace, trial, coordinates } = system;
  const { positions, velocities: n } = coordinates;
  const { count } = given;
  const segments = [
    { name: "q", address: trial.q, slots: positions },
    { name: "v", address: trial.v, slots: n },
    workspace.reserve("B of characteristics", count * n),
    workspace.reserve("b of characteristics", count),
    workspace.reserve("rate of characteristics", count),
    workspace.reserve("rate of positions", positions),
  ];
  const addresses = segments.map(({ address }) => address);
  const [, , matrix = 0, bias = 0, rate = 0, moving = 0] = addresses;
  let views: readonly Float64Array[] = [];
  workspace.whenSealed((arena) => {
    views = segments.map((segment) => arena.floats(segment));
  });
  const unit = new Float64Array(n);
  const value = new Float64Array(count);
  const point = new Float64Array(positions);
  // Functions receive copies, so that they cannot overwrite the state.
  const givenQ = new Float64Array(positions);
  const givenV = new Float64Array(n);
  let isCompared = false;

  /** Calls `value` or `rate`. */
  function call(
    name: "value" | "rate",
    q: Float64Array,
    v: Float64Array,
    out: Float64Array,
    t: number,
  ): void {
    out.fill(Number.NaN);
    givenQ.set(q);
    givenV.set(v);
    const returned: unknown = given[name]!(givenQ, givenV, out, t);
    refuseReturned(name, returned);
    checkFinite(out, name);
  }

  function refuseReturned(name: string, returned: unknown): void {
    if (returned === undefined) return;
    const words =
      `maggi: characteristics.${name} returned ${show(returned)} at t = ${system.time}: it must write to \`out\` and ` +
      "return nothing";
    throw new SimulationError("EVALUATION", system.time, words);
  }

  function evaluate(): void {
    const [q, , b, constant] = views as Views;
    const t = system.time;
    unit.fill(0);
    call("value", q, unit, constant, t);
    if (given.jacobian) {
      b.fill(0);
      givenQ.set(q);
      refuseReturned("jacobian", given.jacobian(givenQ, b, t));
      checkFinite(b, "jacobian");
      return;
    }
    for (let j = 0; j < n; j++) {
      unit[j] = 1;
      call("value", q, unit, value, t);
      for (let i = 0; i < count; i++) b[i * n + j] = value[i]! - constant[i]!;
      unit[j] = 0;
    }
  }

  /** Compares `rate` with finite differences of `value` along the motion, once, at the first state in motion. */
  function compareRate(): void {
    const [q, v, , , out, toward] = views as Views;
    const t = system.time;
    coordinates.positionRate(trial.v, 0, trial.v, moving);
    const fastest = toward.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    if (isCompared || fastest === 0) return;
    isCompared = true;
    const [found] = compareLine({
      rows: count,
      given: (i) => out[i]!,
      offset: Math.max(1, Math.abs(t), ...q.map((one) => Math.abs(one) / fastest)),
      variation: (i) => Math.abs(out[i]!),
      sample: (s, to) => {
        for (let i = 0; i < positions; i++) point[i] = q[i]! + s * toward[i]!;
        call("value", point, v, to, t + s);
      },
    }).filter(({ isWrong }) => isWrong);
    if (found === undefined) return;
    throw new SimulationError(
      "EVALUATION",
      t,
      `maggi: characteristics.rate contradicts \`value\` at t = ${t}: it gives ${found.given} for characteristic ` +
        `${found.row}, where differences give ${Number(found.found.toPrecision(6))}`,
    );
  }

  function checkFinite(numbers: Float64Array, name: string): void {
    const bad = numbers.findIndex((one) => !Number.isFinite(one));
    if (bad < 0) return;
    const words = `maggi: characteristics.${name} gave ${numbers[bad]} at t = ${system.time}`;
    throw new SimulationError("EVALUATION", system.time, words);
  }

  return {
    matrix,
    bias,
    evaluate,
    /** out = B x. */
    multiply: (x: Address, out: Address) =>
      workspace.kernels.matrixTransposeVector(n, count, matrix, n, x, out),
    /** Throws if characteristics are not linear in v, or contradict their jacobian, at the beginning of a step. */
    checkLinear(): void {
      const [q, , b, constant] = views as Views;
      // Not 1: squares of unit velocities would pass as linear.
      for (let j = 0; j < n; j++) unit[j] = 1.3 + j / n;
      call("value", q, unit, value, system.time);
      for (let i = 0; i < count; i++) {
        let [sum, size] = [constant[i]!, Math.abs(constant[i]!)];
        for (let j = 0; j < n; j++) {
          sum += b[i * n + j]! * unit[j]!;
          size += Math.abs(b[i * n + j]! * unit[j]!);
        }
        if (Math.abs(sum - value[i]!) <= NONLINEARITY_TOLERANCE * size) continue;
        throw new SimulationError(
          "METHOD",
          system.time,
          `maggi: characteristic ${i} is not linear in the velocities, or its jacobian is wrong: B v + b is ${sum} where ` +
            `\`value\` gives ${value[i]}`,
        );
      }
    },
    /** e' at zero accelerations. */
    rate(): Address {
      const [q, v, , , out, toward] = views as Views;
      const t = system.time;
      if (given.rate) {
        call("rate", q, v, out, t);
        compareRate();
      } else {
        coordinates.positionRate(trial.v, 0, trial.v, moving);
        const fastest = toward.reduce((most, one) => Math.max(most, Math.abs(one)), 1);
        const sample = (s: number) => {
          for (let i = 0; i < positions; i++) point[i] = q[i]! + s * toward[i]!;
          call("value", point, v, value, t + s);
        };
        differentiate(DIFFERENCE_STEP / fastest, sample, value, out);
      }
      return rate;
    },
  };
}

type Views = readonly [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];
