import { BasisKind, fullPivotLuSlots, luSlots, Status } from "../../../assembly/layout.js";
import { compareLine } from "../../ground/algebra/derivative-check.js";
import { differentiate } from "../../ground/algebra/differences.js";
import { callback, needed, type Shape, show, whole } from "../../ground/checking/index.js";
import { SimulationError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import { failed } from "../../ground/wasm/status.js";
import type { System } from "../../seam/index.js";
import type { TangentSpace } from "./reduced-unknowns.js";
import { denseOf, Tangent } from "./tangent-space.js";

/**
 * Kinematic characteristics, or quasi-velocities, of the user's choice: e = B(q, t) v + b(q, t) (Laulusa and Bauchau 2008,
 * eq. 4). Together with the constraints they must determine v. Functions write into `out`.
 */
export interface KinematicCharacteristics {
  /** How many: as many as there are degrees of freedom. */
  readonly count: number;
  /** e, linear in v. */
  readonly value: (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;
  /** B, row by row. Default: values for unit velocities, which is exact. */
  readonly jacobian?: (q: Float64Array, out: Float64Array, t: number) => void;
  /** e' at zero accelerations, dB/dt v + db/dt. Default: differences of `value`. */
  readonly rate?: (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;
}

export const CHARACTERISTICS: Shape<KinematicCharacteristics> = {
  count: needed(whole(1)),
  value: needed(callback()),
  jacobian: callback(),
  rate: callback(),
};

/** Change of B, relative to it, that rounding does not explain. */
const NONLINEAR = 1e-9;

/** Pivots below this part of the largest: rows depend on each other. */
const DEPENDENT = 1e-10;

/** How far coordinates, or time, are moved along the motion for a difference. */
const MOVE = 2 ** -9;

/**
 * v from e by [V^T; B] v = [V^T p; e - b], where V are the rows of the constraints, orthonormalised, and p any velocity that
 * satisfies them. Rejected: the rows themselves, as printed: their lengths are in all units there are.
 */
export function bindCharacteristics(
  system: System,
  given: KinematicCharacteristics,
  tolerance: number,
): TangentSpace {
  const { workspace } = system;
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
    if (failed(kernels.luFactor(n, matrix, n, factor))) {
      throw refuse("the characteristics and the constraints do not determine the velocities");
    }
  }

  /** Whether rows of unit length determine v, by complete pivoting: once a step. */
  function checkRank(): void {
    const { kernels } = workspace;
    for (let i = 0; i < count; i++) {
      const row = matrix + 8 * (tangent.rank + i) * n;
      kernels.axpy(n, 1 / Math.sqrt(kernels.dot(n, row, row)) - 1, row, row, row);
    }
    const status = kernels.fullPivotLuFactor(n, n, matrix, n, DEPENDENT, pivots);
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
      // The matrix is stored by rows: its transpose was factored.
      if (failed(kernels.luSolveTransposed(n, factor, right, v))) {
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

/** The functions of the user at the trial state, with what they wrote in memory. */
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
  // Functions are given copies: what they overwrite must not move the state.
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

  /** Compares `rate` with differences of `value` along the motion, once where something moves. */
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
    /** Refuses what is not linear in v, or does not fit its jacobian, at the state of the beginning of a step. */
    checkLinear(): void {
      const [q, , b, constant] = views as Views;
      // Not one: squares of unit velocities are linear for all one can tell.
      for (let j = 0; j < n; j++) unit[j] = 1.3 + j / n;
      call("value", q, unit, value, system.time);
      for (let i = 0; i < count; i++) {
        let [sum, size] = [constant[i]!, Math.abs(constant[i]!)];
        for (let j = 0; j < n; j++) {
          sum += b[i * n + j]! * unit[j]!;
          size += Math.abs(b[i * n + j]! * unit[j]!);
        }
        if (Math.abs(sum - value[i]!) <= NONLINEAR * size) continue;
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
        differentiate(MOVE / fastest, sample, value, out);
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
