import { MassKind } from "../../../assembly/layout.js";
import {
  type Contradiction,
  compareLine,
  compareMatrix,
  sampled,
  scaleOf,
  variationOf,
} from "../../base/algebra/derivative-check.js";
import { SimulationError } from "../../base/errors.js";
import type { Address, Arena, Floats, Segment } from "../../base/memory/arena.js";
import { Workspace } from "../../base/memory/workspace.js";
import { initSync } from "../../base/wasm/module.js";
import type {
  Accuracy,
  ConstraintSolver,
  Constraints,
  Continuation,
  Coordinates,
  DenseEquations,
  Energy,
  GeneralRank,
  Matrices,
  NoiseReport,
  StateAddress,
  System,
} from "../../interfaces/index.js";
import { DenseDynamics, denseConstraints, denseCoordinates, fullMass } from "../dense-parts.js";
import { GeneralRankFinder } from "../general-rank.js";
import { NO_CONTINUATION, NO_DERIVATIVES, stateAt } from "../system-parts.js";
import { ConstraintEvaluator } from "./constraint-evaluator.js";
import { type InputArray, isConservative } from "./description.js";
import { DifferenceColumns, remembered } from "./difference-columns.js";
import { DifferenceLine } from "./difference-line.js";
import type { Equations } from "./equations-types.js";
import { equationSolveError } from "./solve-errors.js";
import { UserFunctions } from "./user-functions.js";

/** The arrays of an equation system, as views. */
interface EquationViews {
  readonly q: Floats;
  readonly v: Floats;
  readonly mass: Floats;
  readonly forces: Floats;
  readonly phi: Floats;
  readonly jacobian: Floats;
  readonly phiDot: Floats;
  readonly gamma: Floats;
}

/** Subarrays of these arrays, created once. */
interface ResultViews {
  readonly phi: Floats;
  readonly jacobian: Floats;
  readonly nonholonomicJacobian: Floats;
  readonly phiDot: Floats;
  readonly nonholonomicValue: Floats;
  readonly gamma: Floats;
  readonly nonholonomicGamma: Floats;
  readonly vector: Floats;
  readonly matrix: Floats;
}

/** Splits the arrays into those of holonomic and of nonholonomic constraints. */
function partsOf(views: EquationViews, holonomic: number, n: number, scratch: Floats): ResultViews {
  return {
    phi: views.phi.subarray(0, holonomic),
    jacobian: views.jacobian.subarray(0, holonomic * n),
    nonholonomicJacobian: views.jacobian.subarray(holonomic * n),
    phiDot: views.phiDot.subarray(0, holonomic),
    nonholonomicValue: views.phiDot.subarray(holonomic),
    gamma: views.gamma.subarray(0, holonomic),
    nonholonomicGamma: views.gamma.subarray(holonomic),
    vector: scratch.subarray(0, n),
    matrix: scratch.subarray(0, views.jacobian.length),
  };
}

/**
 * Derivatives of the mass matrix, of the Jacobian and of the energies, by finite differences: few methods need them,
 * so users do not supply them.
 */
class MotionDerivatives {
  readonly #equations: Equations;
  readonly #functions: UserFunctions;
  readonly #constraints: ConstraintEvaluator;
  readonly #massIsConstant: boolean;
  readonly #massIsDiagonal: boolean;
  readonly #mass: Floats;
  readonly #product: Floats;
  /** V by q, v.M(q)v / 2 by q, M by (q, t). */
  readonly #potential: DifferenceColumns;
  readonly #kinetic: DifferenceColumns;
  readonly #massByPlace: DifferenceColumns;
  readonly #massAlong: DifferenceLine;
  readonly #jacobianAlong: DifferenceLine;
  readonly #nonholonomicAlong: DifferenceLine;
  /** (q, t) and (v, 1). */
  readonly #place: Floats;
  readonly #velocity: Floats;
  /** Arguments that samples do not vary. */
  #v: InputArray;
  #t = 0;

  constructor(
    equations: Equations,
    functions: UserFunctions,
    constraints: ConstraintEvaluator,
    workspace: Workspace,
  ) {
    const n = equations.coordinateNames.length;
    this.#equations = equations;
    this.#functions = functions;
    this.#constraints = constraints;
    this.#massIsConstant = equations.mass.function === undefined;
    this.#massIsDiagonal = equations.mass.diagonal;
    this.#mass = new Float64Array(this.#massIsDiagonal ? n : n * n);
    this.#product = new Float64Array(n);
    this.#place = new Float64Array(n + 1);
    this.#velocity = new Float64Array(n + 1).fill(1);
    this.#v = new Float64Array(n);
    const point = new Float64Array(n);
    this.#potential = remembered(
      workspace,
      "steps of the potential",
      new DifferenceColumns(n, 1, (q, value) => {
        functions.changed();
        value[0] = functions.potential(q, this.#v, this.#t);
      }),
    );
    this.#kinetic = remembered(
      workspace,
      "steps of the kinetic energy",
      new DifferenceColumns(n, 1, (q, value) => {
        functions.changed();
        value[0] = this.#kineticEnergy(q);
      }),
    );
    this.#massByPlace = remembered(
      workspace,
      "steps of the mass",
      new DifferenceColumns(n + 1, this.#mass.length, (x, value) => {
        for (let i = 0; i < n; i++) point[i] = x[i] as number;
        functions.changed();
        functions.mass(point, this.#v, value, x[n] as number);
      }),
    );
    this.#massAlong = new DifferenceLine(n, n, (q, t, value) => {
      functions.changed();
      this.#massTimes(q, t, value);
    });
    this.#jacobianAlong = new DifferenceLine(
      n,
      equations.holonomicNames.length * n,
      (q, t, value) => constraints.jacobian(q, this.#v, value, t),
    );
    this.#nonholonomicAlong = new DifferenceLine(
      n,
      equations.nonholonomicNames.length * n,
      (q, t, value) => constraints.nonholonomicJacobian(q, this.#v, value, t),
    );
  }

  /** Fits the steps of the finite differences in use to a state. */
  fit(q: InputArray, v: InputArray, t: number): void {
    this.#setBase(q, v, t);
    if (this.#potential.isFound) this.#potential.fit(q);
    if (this.#kinetic.isFound) this.#kinetic.fit(q);
    if (this.#massByPlace.isFound) this.#massByPlace.fit(this.#place);
  }

  /** dM/dt v along the motion. */
  massRateTimesVelocity(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    if (this.#massIsConstant) {
      out.fill(0);
      return;
    }
    this.#setBase(q, v, t);
    if (!this.#massByPlace.isFound) this.#massByPlace.fit(this.#place);
    this.#massAlong.first(this.#place, this.#velocity, this.#massByPlace, out);
  }

  /** dJ/dt along the motion, row-major, holonomic rows first. */
  jacobianRate(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const { holonomicNames, nonholonomicNames } = this.#equations;
    const split = holonomicNames.length * q.length;
    this.#setBase(q, v, t);
    if (split > 0) {
      const lengths = this.#constraints.phiLengths(q, v, t);
      this.#jacobianAlong.first(this.#place, this.#velocity, lengths, out.subarray(0, split));
    }
    if (nonholonomicNames.length > 0) {
      const lengths = this.#constraints.piLengths(q, v, t);
      this.#nonholonomicAlong.first(this.#place, this.#velocity, lengths, out.subarray(split));
    }
  }

  /** dV/dq. */
  potentialGradient(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.potentialGradient) functions.potentialGradient(q, v, out, t);
    else this.#gradient(this.#potential, q, v, out, t);
    const bad = out.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      const { name, coordinateNames } = this.#equations;
      throw new SimulationError(
        "EVALUATION",
        t,
        `${name}: potentialGradient gave ${out[bad]} for "${coordinateNames[bad]}" at t = ${t}`,
      );
    }
  }

  /** d/dq of v.M(q)v / 2 at fixed v. */
  kineticGradient(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    if (this.#massIsConstant) {
      out.fill(0);
      return;
    }
    this.#gradient(this.#kinetic, q, v, out, t);
  }

  #gradient(
    columns: DifferenceColumns,
    q: InputArray,
    v: InputArray,
    out: Float64Array,
    t: number,
  ): void {
    this.#setBase(q, v, t);
    if (!columns.isFound) columns.fit(q);
    for (let j = 0; j < q.length; j++) columns.column(q, j, out, j);
  }

  /** v.M(q)v / 2 with the v and t of the present state. */
  #kineticEnergy(q: InputArray): number {
    const v = this.#v;
    this.#massTimes(q, this.#t, this.#product);
    let sum = 0;
    for (let i = 0; i < v.length; i++) sum += (v[i] as number) * (this.#product[i] as number);
    return sum / 2;
  }

  /** The product M(q, t) v with the v of the present state. */
  #massTimes(q: InputArray, t: number, out: Float64Array): void {
    const v = this.#v;
    const n = v.length;
    this.#functions.mass(q, v, this.#mass, t);
    for (let i = 0; i < n; i++) {
      let sum = this.#massIsDiagonal ? (this.#mass[i] as number) * (v[i] as number) : 0;
      if (!this.#massIsDiagonal) {
        for (let j = 0; j < n; j++) sum += (this.#mass[i * n + j] as number) * (v[j] as number);
      }
      out[i] = sum;
    }
  }

  /** Sets the state around which samples are taken. */
  #setBase(q: InputArray, v: InputArray, t: number): void {
    this.#v = v;
    this.#t = t;
    for (let i = 0; i < q.length; i++) {
      this.#place[i] = q[i] as number;
      this.#velocity[i] = v[i] as number;
    }
    this.#place[q.length] = t;
  }
}

// Compares the functions of a description with each other: derivatives with finite differences of their functions,
// work with energy.

/** Allowed asymmetry of a mass matrix, relative to the masses: functions may be noisy. */
const ASYMMETRY_TOLERANCE = 1e-6;
/** Allowed errors of gamma, in units of the velocity violation, as gamma may rely on satisfied velocity constraints. */
const MAX_VIOLATION_EFFECT = 10;

/**
 * Checks the functions of a description at one state. Throws an error for the first contradiction, with the user's
 * names, and returns the doubts.
 */
function checkFunctions(
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
  /** Evaluates a given derivative. NaN would agree with anything. */
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

  // The motion from this state as a line: in a time of `pace` no coordinate moves by more than its scale.
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
      // NaN is reported when the value is used.
      if (
        !(
          Math.abs(one - other) >
          ASYMMETRY_TOLERANCE * Math.sqrt(Math.abs(m[i * n + i]! * m[j * n + j]!))
        )
      )
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
    // phi' by a finite difference: the violation of the velocity constraints.
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
      loose: (i) => (MAX_VIOLATION_EFFECT * open(i)) / phiVariation(i),
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
   * Checks the power. The energy T + V changes by v . Q + d(v . M v / 2)/dt + dV/dt, as Q includes the velocity terms
   * of the inertia; and that is the power. A mass matrix that depends on time does work of its own, which no
   * description contains.
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
    // In terms of power: that of the forces, and the given one.
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

/** Converts derivatives by the parameter of a line to derivatives by time. */
function perTime(found: readonly Contradiction[], pace: number): readonly Contradiction[] {
  return found.map((one) => ({ ...one, given: one.given / pace, found: one.found / pace }));
}

/** Forces in addition to Q that depend on multipliers. */
interface AddedForces {
  /** Array to which Q is written. */
  readonly applied: Float64Array;
  /** Writes the sum of Q, from {@link applied}, and these forces. */
  add(forces: Address): void;
  /** Their power at the trial state. */
  power(): number;
}

/**
 * Steps before which functions are compared: when a state is set, which may violate the constraints and be at rest;
 * when it satisfies them; and later, when it moves.
 */
const COMPARED_STEPS: readonly number[] = [0, 1, 2, 4, 8, 16];
const LAST_COMPARED_STEP = Math.max(...COMPARED_STEPS);

/** Quantities known at the trial state: one bit each. */
const KNOWN = { mass: 1, forces: 2, phi: 4, jacobian: 8, phiDot: 16, gamma: 32 } as const;

/**
 * State and memory of a system given by functions, and the quantities of its equations, each evaluated on first use at
 * a state.
 */
export class EquationSystem implements System {
  readonly coordinates: Coordinates;
  readonly constraints: Constraints;
  readonly dynamics: DenseDynamics;
  readonly energy: Energy;
  readonly continuation: Continuation;
  readonly matrices: Matrices & { readonly dense: DenseEquations };
  readonly workspace = new Workspace(initSync);
  readonly equations: Equations;
  readonly positions: number;
  readonly velocities: number;
  readonly rows: number;
  readonly holonomicRows: number;
  readonly coordinateNames: readonly string[];
  readonly rowNames: readonly string[];
  readonly state: StateAddress;
  readonly trial: StateAddress;
  readonly massKind: MassKind;
  time = 0;
  generation = 0;
  factorisations = 0;

  readonly functions: UserFunctions;
  readonly evaluator: ConstraintEvaluator;
  readonly derivatives: MotionDerivatives;
  /** Set by the owner of a solver if constraints are not ideal. */
  nonIdeal: AddedForces | undefined;
  readonly segments: Record<keyof EquationViews, Segment>;
  readonly #scratch: Segment;
  #views: EquationViews | undefined;
  #parts!: ResultViews;
  /** The accepted state. */
  accepted!: { readonly q: Float64Array; readonly v: Float64Array };
  #known = 0;
  /** Number of steps begun, up to the last comparison. */
  #begun = 0;
  /** Doubts raised by comparisons of functions. */
  readonly doubts: string[] = [];

  readonly #ranks: GeneralRankFinder;

  constructor(equations: Equations) {
    this.equations = equations;
    const n = equations.coordinateNames.length;
    const holonomic = equations.holonomicNames.length;
    const rows = holonomic + equations.nonholonomicNames.length;
    this.positions = n;
    this.velocities = n;
    this.rows = rows;
    this.holonomicRows = holonomic;
    this.coordinateNames = equations.coordinateNames;
    this.rowNames = [...equations.holonomicNames, ...equations.nonholonomicNames];
    this.massKind = equations.mass.diagonal ? MassKind.DIAGONAL : MassKind.FULL;

    const { workspace } = this;
    const at = (q: Address) => stateAt(q, n, n);
    this.state = at(workspace.vector("state and work", 2 * n + 1));
    const trial = workspace.reserve("trial state and work", 2 * n + 1);
    this.trial = at(trial.address);
    this.segments = {
      q: { ...trial, slots: n },
      v: { ...trial, address: this.trial.v, slots: n },
      mass: workspace.reserve("mass", equations.mass.diagonal ? n : n * n),
      forces: workspace.reserve("forces", n),
      phi: workspace.reserve("phi", rows),
      jacobian: workspace.reserve("jacobian", rows * n),
      phiDot: workspace.reserve("phi dot", rows),
      gamma: workspace.reserve("gamma", rows),
    };
    this.#scratch = workspace.reserve("motion derivatives", Math.max(rows * n, n));
    this.functions = new UserFunctions(equations);
    this.evaluator = new ConstraintEvaluator(equations, this.functions, workspace);
    this.derivatives = new MotionDerivatives(equations, this.functions, this.evaluator, workspace);
    this.#ranks = new GeneralRankFinder(this);
    workspace.whenSealed((arena) => this.#makeViews(arena));
    this.coordinates = denseCoordinates(this);
    this.constraints = denseConstraints(this);
    this.dynamics = new DenseDynamics(this);
    if (equations.description.nonIdeal) {
      this.nonIdeal = new NonIdealForces(this, this.dynamics.solver("auto"));
    }
    this.energy = new EquationEnergy(this);
    this.continuation = {
      ...NO_CONTINUATION,
      beginStep: (t) => this.beginStep(t),
      doubts: this.doubts,
    };
    this.matrices = { ...NO_DERIVATIVES, dense: denseEquations(this), accuracy: accuracyOf(this) };
  }

  generalRank(): GeneralRank | undefined {
    return this.#ranks.find();
  }

  load(t: number): void {
    const { workspace, positions, velocities, state, trial } = this;
    workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
    this.at(t);
  }

  store(): void {
    const { workspace, positions, velocities, state, trial } = this;
    workspace.kernels.copyVector(positions + velocities, trial.q, state.q);
  }

  at(t: number): void {
    this.time = t;
    this.generation++;
    this.#known = 0;
    this.functions.changed();
  }

  /** Any function may depend on velocities. */
  atVelocity(): void {
    this.at(this.time);
  }

  /**
   * Fits the steps of finite differences to the accepted state. They are constant within a step, since derivatives are
   * smooth there.
   */
  beginStep(t: number): void {
    const { q, v } = this.accepted;
    this.evaluator.fit(q, v, t);
    this.derivatives.fit(q, v, t);
    this.functions.changed();
    this.#check(t);
  }

  /** Repeated until it succeeds, since runs retry failed steps. */
  #check(t: number): void {
    if (this.#begun > LAST_COMPARED_STEP || this.equations.description.check === false) return;
    if (COMPARED_STEPS.includes(this.#begun)) {
      this.doubts.push(...checkFunctions(this.equations, this.functions, this.accepted, t));
    }
    this.#begun++;
  }

  /** True when a quantity has been evaluated at the trial state. */
  isKnown(part: keyof typeof KNOWN): boolean {
    return (this.#known & KNOWN[part]) !== 0;
  }

  get name(): string {
    return this.equations.name;
  }

  /** The arrays, once the workspace is sealed. */
  get views(): EquationViews {
    return this.#views as EquationViews;
  }

  /** Address of the mass matrix: its diagonal, or all of it. */
  mass(): Address {
    if ((this.#known & KNOWN.mass) === 0) {
      this.#known |= KNOWN.mass;
      this.functions.mass(this.views.q, this.views.v, this.views.mass, this.time);
    }
    return this.segments.mass.address;
  }

  /** Q, and the forces of constraints that are not ideal. */
  forces(): Address {
    if ((this.#known & KNOWN.forces) === 0) {
      this.#known |= KNOWN.forces;
      // Entries that a function does not write stay unchanged, so each function has its own array.
      const out = this.nonIdeal?.applied ?? this.views.forces;
      this.functions.forces(this.views.q, this.views.v, out, this.time);
      this.nonIdeal?.add(this.segments.forces.address);
    }
    return this.segments.forces.address;
  }

  phi(): Address {
    if ((this.#known & KNOWN.phi) === 0) {
      this.#known |= KNOWN.phi;
      this.functions.phi(this.views.q, this.views.v, this.#parts.phi, this.time);
    }
    return this.segments.phi.address;
  }

  jacobian(): Address {
    if ((this.#known & KNOWN.jacobian) === 0) {
      this.#known |= KNOWN.jacobian;
      const { q, v } = this.views;
      if (this.holonomicRows > 0) {
        this.evaluator.jacobian(q, v, this.#parts.jacobian, this.time);
      }
      if (this.rows > this.holonomicRows) {
        this.evaluator.nonholonomicJacobian(q, v, this.#parts.nonholonomicJacobian, this.time);
      }
    }
    return this.segments.jacobian.address;
  }

  phiDot(): Address {
    if ((this.#known & KNOWN.phiDot) === 0) {
      const jacobian = this.jacobian();
      this.#known |= KNOWN.phiDot;
      const { q, v } = this.views;
      if (this.holonomicRows > 0) this.#holonomicRate(jacobian);
      if (this.rows > this.holonomicRows) {
        this.functions.nonholonomic(q, v, this.#parts.nonholonomicValue, this.time);
      }
    }
    return this.segments.phiDot.address;
  }

  /** J v + dPhi/dt. */
  #holonomicRate(jacobian: Address): void {
    const { kernels } = this.workspace;
    const n = this.velocities;
    const rows = this.holonomicRows;
    const v = this.segments.v.address;
    const out = this.segments.phiDot.address;
    if (this.functions.scleronomic) {
      kernels.matrixTransposeVector(n, rows, jacobian, n, v, out);
    } else {
      this.evaluator.timeDerivative(this.views.q, this.views.v, this.#parts.phiDot, this.time);
      kernels.addRowsTimes(rows, n, jacobian, v, out);
    }
  }

  gamma(): Address {
    if ((this.#known & KNOWN.gamma) === 0) {
      this.#known |= KNOWN.gamma;
      const { q, v } = this.views;
      if (this.holonomicRows > 0) this.evaluator.gamma(q, v, this.#parts.gamma, this.time);
      if (this.rows > this.holonomicRows) {
        this.evaluator.nonholonomicGamma(q, v, this.#parts.nonholonomicGamma, this.time);
      }
    }
    return this.segments.gamma.address;
  }

  /** out = M x. */
  massTimes(x: Address, out: Address): void {
    const n = this.velocities;
    const mass = this.mass();
    if (this.equations.mass.diagonal) this.workspace.kernels.multiplyEach(n, mass, x, out);
    else this.workspace.kernels.matrixVector(n, n, mass, n, x, out);
  }

  /** Writes a derivative into the scratch and copies it to its destination. */
  derive(
    count: number,
    out: Address,
    write: (q: Float64Array, v: Float64Array, target: Float64Array) => void,
  ): void {
    const { vector, matrix } = this.#parts;
    write(this.views.q, this.views.v, count === this.velocities ? vector : matrix);
    this.functions.changed();
    this.workspace.kernels.copyVector(count, this.#scratch.address, out);
  }

  /** Returns the error for a kernel's status: names the function that returned NaN, the coordinate or the row. */
  errorFor(status: number, advice: string): Error {
    return equationSolveError(this, status, advice);
  }

  #makeViews(arena: Arena): void {
    const entries = Object.entries(this.segments).map(([name, segment]) => [
      name,
      arena.floats(segment),
    ]);
    const views = Object.fromEntries(entries) as EquationViews;
    const n = this.positions;
    this.accepted = {
      q: arena.floats({ name: "q", address: this.state.q, slots: n }),
      v: arena.floats({ name: "v", address: this.state.v, slots: n }),
    };
    this.#views = views;
    this.#parts = partsOf(views, this.holonomicRows, this.velocities, arena.floats(this.#scratch));
    if (this.equations.mass.constant) views.mass.set(this.equations.mass.constant);
  }
}

/**
 * Changes of C, relative to the forces, that end the iteration; and changes that are acceptable when it no longer
 * converges.
 */
const CONVERGENCE_TOLERANCE = 2 * Number.EPSILON;
const STAGNATION_TOLERANCE = 1e-12;

const MAX_ITERATIONS = 100;

/**
 * Forces C of constraints that are not ideal (Udwadia and Kalaba, Int. J. Non-Linear Mech. 37, 2002; Laulusa and
 * Bauchau 2008, 2.2.4; Braun and Goldfarb 2009, 4.6):
 *
 *   M a = Q + C + J^T lambda,   J a = gamma
 *
 * C is given as a law, of which only the work in displacements that the constraints allow matters: lambda absorbs the
 * rest. So C may be added to Q, and every formulation, stabilisation and coupled method is correct for it. If C
 * depends on lambda, the two are iterated from C = 0: lambda with the forces Q + C, then C. Lambda is that of the
 * motion without stabilisation, which is not a force.
 */
class NonIdealForces implements AddedForces {
  readonly #system: EquationSystem;
  readonly #solver: ConstraintSolver;
  readonly #multipliers: Address;
  readonly #applied: Address;
  readonly #address: Address;
  readonly #iterations: number;
  #views!: Record<"multipliers" | "force" | "applied", Float64Array>;

  /** Reserves memory; the solver is the one that methods use, so that nothing is factored twice. */
  constructor(system: EquationSystem, solver: ConstraintSolver) {
    const { workspace, velocities: n, rows } = system;
    this.#system = system;
    this.#solver = solver;
    this.#iterations = system.equations.description.nonIdeal?.iterations ?? MAX_ITERATIONS;
    const multipliers = workspace.reserve("multipliers of the law", rows);
    const force = workspace.reserve("forces of the law", n);
    const applied = workspace.reserve("applied forces", n);
    this.#multipliers = multipliers.address;
    this.#address = force.address;
    this.#applied = applied.address;
    workspace.whenSealed((arena) => {
      this.#views = {
        multipliers: arena.floats(multipliers),
        force: arena.floats(force),
        applied: arena.floats(applied),
      };
    });
  }

  get applied(): Float64Array {
    return this.#views.applied;
  }

  add(forces: Address): void {
    const { workspace, velocities: n } = this.#system;
    const { kernels } = workspace;
    const { force, applied } = this.#views;
    kernels.copyVector(n, this.#applied, forces);
    force.fill(0);
    let before = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#iterations; i++) {
      const change = this.#next(forces);
      const size = Math.max(largest(applied), largest(force));
      if (change <= CONVERGENCE_TOLERANCE * size) return;
      if (!(change < before) && change <= STAGNATION_TOLERANCE * size) return;
      before = change;
    }
    const { name, time } = this.#system;
    throw new SimulationError(
      "EVALUATION",
      time,
      `${name}: nonIdeal.force and the multipliers do not settle at t = ${time}, after ${this.#iterations} iterations: with ` +
        "friction this strong they may not determine each other, or the law is not continuous. Try less friction, or a " +
        "smoother law",
    );
  }

  power(): number {
    const { workspace, velocities, trial } = this.#system;
    this.#system.forces();
    return workspace.kernels.dot(velocities, this.#address, trial.v);
  }

  /** Finds lambda for the current forces, then C for lambda. Returns the change of C. */
  #next(forces: Address): number {
    const system = this.#system;
    const { workspace, velocities: n, functions, views, time } = system;
    const { multipliers, force, applied } = this.#views;
    this.#solver.multipliers(system.gamma(), this.#multipliers);
    functions.nonIdeal(views.q, views.v, multipliers, force, time);
    let change = 0;
    for (let i = 0; i < n; i++) {
      const value = force[i] as number;
      if (!Number.isFinite(value)) throw this.#notFinite(i, value);
      const next = (applied[i] as number) + value;
      change = Math.max(change, Math.abs(next - (views.forces[i] as number)));
    }
    workspace.kernels.axpy(n, 1, this.#address, this.#applied, forces);
    return change;
  }

  #notFinite(index: number, value: number): SimulationError {
    const { name, time, coordinateNames } = this.#system;
    return new SimulationError(
      "EVALUATION",
      time,
      `${name}: nonIdeal.force gave ${value} for "${coordinateNames[index]}" at t = ${time}`,
    );
  }
}

function largest(numbers: Float64Array): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i] as number));
  return most;
}

/**
 * Noise of a function from its sixth differences, as in More and Wild, Estimating computational noise, SIAM J. Sci.
 * Comput. 33 (2011). Samples are so close that smooth components cancel, and sigma = rms(D6) / sqrt(12! / 6!^2).
 */
const DIFFERENCES = [1, -6, 15, -20, 15, -6, 1] as const;
const SIXTH_DIFFERENCE_NORM = Math.sqrt(924);
const SAMPLES = 13;
/**
 * Sample windows, in units of coordinates, velocities and time: the spacing, and the distance of the middle from the
 * state. The noise is the least estimate: a kink contributes less at shorter spacing, and a kink or jump lies in only
 * one of the windows.
 */
const WINDOWS = [
  { spacing: 2 ** -13, away: 0 },
  { spacing: 2 ** -20, away: 0 },
  { spacing: 2 ** -20, away: 2 ** -9 },
] as const;

/**
 * Amplification of noise by finite differences, relative to the length over which a function varies: see
 * DifferenceLine and -Columns.
 */
const SECOND_DIFFERENCE_AMPLIFICATION = 1e3;
const FIRST_DIFFERENCE_AMPLIFICATION = 1e2;

type Evaluate = (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;

interface Around {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly t: number;
}

interface NoiseLevel {
  readonly name: string;
  readonly level: number;
}

/**
 * Measures the noise of the functions of a system at a state. Called once, when steps are shorter than they should be.
 */
function noiseOf(
  { coordinateNames, holonomicNames, nonholonomicNames, mass }: Equations,
  functions: UserFunctions,
  constraints: ConstraintEvaluator,
  state: Around,
): NoiseReport {
  const n = coordinateNames.length;
  const [rows, others] = [holonomicNames.length, nonholonomicNames.length];
  const { gives } = functions;
  const levels: NoiseLevel[] = [];
  const look = (name: string, length: number, evaluate: Evaluate, factor = 1) => {
    const measured = noiseAround(state, length, (q, v, out, t) => {
      functions.changed();
      evaluate(q, v, out, t);
    });
    levels.push({ name, level: measured.bySize * factor });
    return measured;
  };
  look("forces", n, (q, v, out, t) => functions.forces(q, v, out, t));
  if (mass.function) {
    look("mass", mass.diagonal ? n : n * n, (q, v, out, t) => functions.mass(q, v, out, t));
  }
  let positions = 0;
  if (rows > 0) {
    const phi = noiseAround(state, rows, (q, v, out, t) => {
      functions.changed();
      functions.phi(q, v, out, t);
    });
    positions = phi.bySlope;
    const isDifferenced = !(gives.jacobian && gives.gamma);
    const factor = isDifferenced
      ? SECOND_DIFFERENCE_AMPLIFICATION / constraints.shortestLength()
      : 1;
    levels.push({ name: "holonomic.value", level: positions * factor });
    if (gives.jacobian) {
      look("holonomic.jacobian", rows * n, (q, v, out, t) => functions.jacobian(q, v, out, t));
    }
    if (gives.gamma) look("holonomic.gamma", rows, (q, v, out, t) => functions.gamma(q, v, out, t));
  }
  if (others > 0) {
    const isDifferenced = !(gives.nonholonomicJacobian && gives.nonholonomicGamma);
    const pi = noiseAround(state, others, (q, v, out, t) => {
      functions.changed();
      functions.nonholonomic(q, v, out, t);
    });
    const level = pi.bySlope * (isDifferenced ? FIRST_DIFFERENCE_AMPLIFICATION : 1);
    levels.push({ name: "nonholonomic.value", level });
  }
  functions.changed();
  const [first = { name: "", level: 0 }] = levels.sort((one, other) => other.level - one.level);
  return { noisiest: first.name, positions, accelerations: first.level };
}

/** Noise of a function of the state, relative to its largest value, and to the slope of each row. */
function noiseAround(
  state: Around,
  length: number,
  evaluate: Evaluate,
): { readonly bySize: number; readonly bySlope: number } {
  let bySize = Number.POSITIVE_INFINITY;
  let bySlope = Number.POSITIVE_INFINITY;
  for (const { spacing, away } of WINDOWS) {
    const samples = samplesOf(state, length, evaluate, spacing, away);
    const [start, end] = [samples[0] as Float64Array, samples[SAMPLES - 1] as Float64Array];
    let [noise, size, slope] = [0, 0, 0];
    for (let row = 0; row < length; row++) {
      noise = Math.max(noise, noiseOfRow(samples, row));
      size = Math.max(size, Math.abs(start[row] as number));
      const change = Math.abs((end[row] as number) - (start[row] as number));
      slope = Math.max(slope, change / ((SAMPLES - 1) * spacing));
    }
    bySize = Math.min(bySize, size > 0 ? noise / size : 0);
    bySlope = Math.min(bySlope, slope > 0 ? noise / slope : 0);
  }
  return { bySize, bySlope };
}

function samplesOf(
  { q, v, t }: Around,
  length: number,
  evaluate: Evaluate,
  spacing: number,
  away: number,
): Float64Array[] {
  return Array.from({ length: SAMPLES }, (_, k) => {
    const s = away + (k - (SAMPLES - 1) / 2) * spacing;
    const out = new Float64Array(length);
    evaluate(
      q.map((x) => x + s),
      v.map((x) => x + s),
      out,
      t + s,
    );
    return out;
  });
}

function noiseOfRow(samples: readonly Float64Array[], row: number): number {
  const count = SAMPLES - DIFFERENCES.length + 1;
  let squares = 0;
  for (let first = 0; first < count; first++) {
    const sum = DIFFERENCES.reduce<number>(
      (total, weight, k) => total + weight * ((samples[first + k] as Float64Array)[row] as number),
      0,
    );
    squares += sum * sum;
  }
  return Math.sqrt(squares / count) / SIXTH_DIFFERENCE_NORM;
}

/** Energies of a system given by functions. */
class EquationEnergy implements Energy {
  readonly hasPotential: boolean;
  readonly isConservative: boolean;
  readonly #system: EquationSystem;
  readonly #momenta: Address;

  constructor(system: EquationSystem) {
    const { description } = system.equations;
    this.#system = system;
    this.hasPotential = description.potential !== undefined;
    this.isConservative = isConservative(description);
    this.#momenta = system.workspace.vector("momenta", system.velocities);
  }

  potential(): number {
    const { functions, views, time } = this.#system;
    return functions.potential(views.q, views.v, time);
  }

  power(): number {
    const { functions, views, time, nonIdeal } = this.#system;
    return functions.power(views.q, views.v, time) + (nonIdeal?.power() ?? 0);
  }

  kinetic(): number {
    const { workspace, velocities, trial } = this.#system;
    this.#system.massTimes(trial.v, this.#momenta);
    return workspace.kernels.dot(velocities, trial.v, this.#momenta) / 2;
  }

  potentialGradient(out: Address): void {
    const { velocities, derivatives, time } = this.#system;
    this.#system.derive(velocities, out, (q, v, target) =>
      derivatives.potentialGradient(q, v, target, time),
    );
  }

  kineticGradient(out: Address): void {
    const { velocities, derivatives, time } = this.#system;
    this.#system.derive(velocities, out, (q, v, target) =>
      derivatives.kineticGradient(q, v, target, time),
    );
  }
}

/** The matrices of a system given by functions. Reserves memory for a full M. */
function denseEquations(system: EquationSystem): DenseEquations {
  const { workspace, velocities: n, rows, derivatives } = system;
  const full = system.equations.mass.diagonal
    ? workspace.vector("full mass", n * n)
    : system.segments.mass.address;
  return {
    generalRank: () => system.generalRank(),
    mass: () => fullMass(system, full),
    jacobian: () => system.jacobian(),
    massRateTimesVelocity: (out) =>
      system.derive(n, out, (q, v, target) =>
        derivatives.massRateTimesVelocity(q, v, target, system.time),
      ),
    jacobianRate: (out) =>
      system.derive(rows * n, out, (q, v, target) =>
        derivatives.jacobianRate(q, v, target, system.time),
      ),
  };
}

function accuracyOf(system: EquationSystem) {
  const { equations, evaluator, functions } = system;
  return {
    worstDifference(t) {
      const { q, v } = system.accepted;
      if (equations.differentiated.length === 0) return undefined;
      const found = evaluator.differenceError(q, v, t);
      functions.changed();
      return found;
    },
    estimateNoise: (t) => noiseOf(equations, functions, evaluator, { ...system.accepted, t }),
  } satisfies Accuracy;
}
