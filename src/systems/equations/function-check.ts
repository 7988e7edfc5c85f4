// Compares the functions of a description with each other: derivatives with differences of what they belong to, work with
// energy.

import {
  type Contradiction,
  compareLine,
  compareMatrix,
  sampled,
  scaleOf,
  variationOf,
} from "../../ground/algebra/derivative-check.js";
import { SimulationError } from "../../ground/errors.js";
import type { InputArray } from "./description.js";
import type { Equations } from "./made.js";
import type { UserFunctions } from "./user-functions.js";

/** Part of the masses themselves that entries of a symmetric matrix may differ by: functions may be noisy. */
const ASYMMETRY = 1e-6;
/** Relative errors of gamma in parts of how far velocities are from satisfying the constraints, as it may rely on these. */
const RELIANCE = 10;

/**
 * Checks the functions of a description at one state: throws the first contradiction by the user's names, and returns
 * what is in doubt.
 */
export function checkFunctions(
  { name, description, coordinateNames, holonomicNames, nonholonomicNames, mass }: Equations,
  functions: UserFunctions,
  state: { readonly q: InputArray; readonly v: InputArray },
  t: number,
): string[] {
  const n = coordinateNames.length;
  const rows = holonomicNames.length;
  const others = nonholonomicNames.length;
  const q = Float64Array.from(state.q);
  const v = Float64Array.from(state.v);
  const { gives } = functions;
  const doubts: string[] = [];
  const at = (evaluate: (out: Float64Array) => void, length: number) => {
    const out = new Float64Array(length);
    functions.changed();
    evaluate(out);
    return out;
  };
  /** What a derivative gives. NaN would agree with anything. */
  const givenBy = (what: string, evaluate: (out: Float64Array) => void, length: number) => {
    const out = at(evaluate, length);
    const bad = out.findIndex((one) => !Number.isFinite(one));
    if (bad < 0) return out;
    const gave = `${what} gave ${out[bad]} for "${coordinateNames[bad]}"`;
    throw new SimulationError("EVALUATION", t, `${name}: ${gave} at t = ${t}`);
  };
  const report = (
    what: string,
    contradictions: readonly Contradiction[],
    where: (row: number, column: number) => string,
    sign = 1,
  ) => {
    const worst = contradictions.find(({ isWrong }) => isWrong) ?? contradictions[0];
    if (worst === undefined) return;
    const found = sign * Number(worst.found.toPrecision(6));
    const numbers =
      `at t = ${t} it gives ${sign * worst.given} for ${where(worst.row, worst.column)}, where differences ` +
      `give ${found}`;
    if (!worst.isWrong) {
      doubts.push(`${name}: ${what} is in doubt: ${numbers}`);
      return;
    }
    throw new SimulationError(
      "EVALUATION",
      t,
      `${name}: ${what} contradicts the other functions: ${numbers}. Correct it, leave it out, or switch this ` +
        "comparison off by check: false",
    );
  };
  const byCoordinate = (names: readonly string[]) => (row: number, column: number) =>
    `the derivative of "${names[row]}" by "${coordinateNames[column]}"`;
  const byRow = (names: readonly string[]) => (row: number) => `"${names[row]}"`;

  // The motion from here as a line: in a time of `pace` no coordinate moves by more than its scale.
  const fastest = v.reduce((most, x, j) => Math.max(most, Math.abs(x) / scaleOf(q[j]!)), 0);
  const paceOf = (isTimed: boolean) => {
    if (fastest === 0) return 1;
    return isTimed ? Math.min(1, 1 / fastest) : 1 / fastest;
  };
  const moved = new Float64Array(n);
  const move = (s: number) => {
    functions.changed();
    for (let j = 0; j < n; j++) moved[j] = q[j]! + s * v[j]!;
    return moved;
  };
  const offsetOf = (isTimed: boolean, pace: number) =>
    isTimed ? Math.max(1, Math.abs(t) / pace) : 1;

  if (mass.function && !mass.diagonal) {
    const m = at((out) => functions.mass(q, v, out, t), n * n);
    for (let k = 0; k < n * n; k++) {
      const [i, j] = [Math.floor(k / n), k % n];
      const [one, other] = [m[k]!, m[j * n + i]!];
      // NaN is reported where it is used.
      if (!(Math.abs(one - other) > ASYMMETRY * Math.sqrt(Math.abs(m[i * n + i]! * m[j * n + j]!))))
        continue;
      throw new SimulationError(
        "EVALUATION",
        t,
        `${name}: mass is not symmetric at t = ${t}: it gives ${one} between "${coordinateNames[i]}" and ` +
          `"${coordinateNames[j]}", and ${other} between these the other way round`,
      );
    }
  }
  const phi = rows > 0 ? at((out) => functions.phi(q, v, out, t), rows) : undefined;
  const phiAt = (x: Float64Array, out: Float64Array) => {
    functions.changed();
    functions.phi(x, v, out, t);
  };
  const phiVariation = phi && variationOf({ rows, x: q, at: phiAt });
  if (phi && phiVariation && gives.jacobian) {
    const given = at((out) => functions.jacobian(q, v, out, t), rows * n);
    const found = compareMatrix({
      rows,
      columns: n,
      given: (i, j) => given[i * n + j]!,
      x: q,
      at: phiAt,
      residual: (i) => phi[i]!,
    });
    report("holonomic.jacobian", found, byCoordinate(holonomicNames));
  }
  if (phi && phiVariation && gives.timeDerivative) {
    const given = at((out) => functions.timeDerivative(q, v, out, t), rows);
    const found = compareLine({
      rows,
      given: (i) => given[i]!,
      offset: offsetOf(true, 1),
      variation: phiVariation,
      sample: (s, out) => {
        functions.changed();
        functions.phi(q, v, out, t + s);
      },
      residual: (i) => phi[i]!,
    });
    report("holonomic.timeDerivative", found, byRow(holonomicNames));
  }
  if (phi && phiVariation && gives.gamma) {
    const given = at((out) => functions.gamma(q, v, out, t), rows);
    const isTimed = !functions.scleronomic;
    const pace = paceOf(isTimed);
    const sample = (s: number, out: Float64Array) =>
      functions.phi(move(s * pace), v, out, t + s * pace);
    // phi' by a difference: how far v is from satisfying the constraints.
    const small = 2 ** -13;
    const [before, after] = [-small, small].map((s) => sampled({ rows, sample }, s));
    const open = (i: number) => Math.abs((after![i]! - before![i]!) / (2 * small));
    const found = compareLine({
      rows,
      given: (i) => -given[i]! * pace * pace,
      order: 2,
      variation: phiVariation,
      offset: offsetOf(isTimed, pace),
      sample,
      residual: (i) => phi[i]!,
      loose: (i) => (RELIANCE * open(i)) / phiVariation(i),
    });
    report("holonomic.gamma", perTime(found, pace * pace), byRow(holonomicNames), -1);
  }
  const rates = others > 0 ? at((out) => functions.nonholonomic(q, v, out, t), others) : undefined;
  if (rates && gives.nonholonomicJacobian) {
    const given = at((out) => functions.nonholonomicJacobian(q, v, out, t), others * n);
    const found = compareMatrix({
      rows: others,
      columns: n,
      given: (i, j) => given[i * n + j]!,
      x: v,
      at: (x, out) => {
        functions.changed();
        functions.nonholonomic(q, x, out, t);
      },
      residual: (i) => rates[i]!,
    });
    report("nonholonomic.jacobian", found, byCoordinate(nonholonomicNames));
  }
  if (rates && gives.nonholonomicGamma) {
    const given = at((out) => functions.nonholonomicGamma(q, v, out, t), others);
    const isTimed = (description.nonholonomic?.value.length ?? 0) > 3;
    const pace = paceOf(isTimed);
    const found = compareLine({
      rows: others,
      given: (i) => -given[i]! * pace,
      offset: offsetOf(isTimed, pace),
      variation: variationOf({
        rows: others,
        x: q,
        at: (x, out) => {
          functions.changed();
          functions.nonholonomic(x, v, out, t);
        },
      }),
      sample: (s, out) => functions.nonholonomic(move(s * pace), v, out, t + s * pace),
      residual: (i) => rates[i]!,
    });
    report("nonholonomic.gamma", perTime(found, pace), byRow(nonholonomicNames), -1);
  }
  if (description.potential && gives.potentialGradient) {
    const given = givenBy(
      "potentialGradient",
      (out) => functions.potentialGradient(q, v, out, t),
      n,
    );
    const found = compareMatrix({
      rows: 1,
      columns: n,
      given: (_, j) => given[j]!,
      x: q,
      at: (x, out) => {
        functions.changed();
        out[0] = functions.potential(x, v, t);
      },
    });
    report("potentialGradient", found, byCoordinate(["potential"]));
  }
  const [work] = description.potential && fastest > 0 ? workOf() : [];
  if (work !== undefined) {
    doubts.push(
      `${name}: power is in doubt: at t = ${t} forces change the energy at a rate of ${work.given}, where potential and ` +
        `power give ${Number(work.found.toPrecision(6))}: give the power of all forces that potential does not cover`,
    );
  }
  functions.changed();
  return doubts;

  /**
   * The energy T + V changes by v . Q + d(v . M v / 2)/dt + dV/dt, as Q includes the velocity terms of the inertia; and that
   * is the power. A mass matrix that depends on time does work of its own, which nobody describes.
   */
  function workOf(): readonly Contradiction[] {
    if (mass.function && mass.function.length > 2) return [];
    const pace = paceOf(false);
    const forces = at((out) => functions.forces(q, v, out, t), n);
    functions.changed();
    const power = functions.power(q, v, t);
    const m = new Float64Array(mass.diagonal ? n : n * n);
    const energy = (s: number) => {
      const x = move(s * pace);
      const potential = functions.potential(x, v, t);
      if (!mass.function) return potential;
      functions.mass(x, v, m, t);
      return potential + kinetic(m, v);
    };
    const applied = v.reduce((total, x, j) => total + x * forces[j]!, 0);
    const found = compareLine({
      rows: 1,
      given: () => (power - applied) * pace,
      size: () => pace * v.reduce((most, x, j) => most + Math.abs(x * forces[j]!), Math.abs(power)),
      offset: 1,
      variation: variationOf({
        rows: 1,
        x: q,
        at: (x, out) => {
          functions.changed();
          out[0] = functions.potential(x, v, t);
        },
      }),
      sample: (s, out) => {
        out[0] = energy(s);
      },
    });
    // In terms of power: what forces do, and what is given.
    return perTime(found, pace).map((one) => ({
      ...one,
      given: applied + one.found,
      found: power,
    }));
  }
}

function kinetic(m: Float64Array, v: Float64Array): number {
  const n = v.length;
  let twice = 0;
  for (let i = 0; i < n; i++) {
    if (m.length === n) twice += m[i]! * v[i]! * v[i]!;
    else for (let j = 0; j < n; j++) twice += m[i * n + j]! * v[i]! * v[j]!;
  }
  return twice / 2;
}

/** Derivatives by time of those by the parameter of a line. */
function perTime(found: readonly Contradiction[], pace: number): readonly Contradiction[] {
  return found.map((one) => ({ ...one, given: one.given / pace, found: one.found / pace }));
}
