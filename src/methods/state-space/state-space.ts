import { luSlots } from "../../../assembly/layout.js";
import {
  listOf,
  nameOrIndex,
  optionsOf,
  rankTolerance,
  type Shape,
} from "../../base/checking/index.js";
import { NodriftError, SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { arenaRecord, ChangeLog } from "../../base/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import { checkLimits } from "../../base/run-limits.js";
import { EntryList } from "../../base/sparse/entry-list.js";
import { irreducibleBlocks } from "../../base/sparse/irreducible.js";
import { failed } from "../../base/wasm/status.js";
import type {
  BoundFormulation,
  EquationDerivatives,
  Formulation,
  Ode,
  OdeJacobian,
  ShiftedSolver,
  StageEquations,
  System,
} from "../../interfaces/index.js";
import { PLAIN_FORMULATION, STATE_AS_UNKNOWNS } from "../defaults.js";
import { differenceStep } from "../newton/dense-jacobian.js";
import { SparseMatrix } from "../newton/sparse-lu.js";
import { StateSpaceDynamics } from "./dynamics.js";
import { entriesOf, type MatrixEntries, Partition } from "./partition.js";
import { isSparseCheaper, SparseJacobian } from "./sparse-jacobian.js";

/**
 * Returns df/dy of a system with its own stage solver, whose positions are all independent and in order. `move` sets
 * the trial state to the trial unknowns, and computes its accelerations.
 */
function stageJacobian(
  stages: StageEquations,
  dynamics: StateSpaceDynamics,
  move: (t: number) => void,
): OdeJacobian {
  return {
    source: "analytic",
    evaluate(t) {
      move(t);
      stages.evaluate(dynamics.accelerations);
    },
    shifted: (complex) => stages.shifted(complex),
  };
}

/** Parts of a bound formulation whose positions are all independent. */
interface FreeParts {
  readonly system: System;
  readonly entries: MatrixEntries;
  readonly partition: Partition;
  readonly dynamics: StateSpaceDynamics;
  readonly stages: StageEquations | undefined;
}

/**
 * Without rows and Euler parameters the independent coordinates are q and v themselves: nothing is placed, and the
 * unknowns are the state.
 */
function bindFree({ system, entries, partition, dynamics, stages }: FreeParts): BoundFormulation {
  const { workspace, trial, state } = system;
  const { velocities: n } = system.coordinates;
  const kept = arenaRecord(workspace, "free state space", { chosen: 0 });
  const slope = dynamics.slope();
  let analytic: { rebuild(): void } | undefined;

  function move(t: number): void {
    if (kept.chosen === 0) {
      partition.choose(t);
      dynamics.rebuild();
      analytic?.rebuild();
      kept.chosen = 1;
    }
    system.at(t);
    dynamics.solve(t);
  }

  const ode: Ode = {
    dimension: 2 * n,
    positions: n,
    y: state.q,
    trial: trial.q,
    rate(t, out) {
      if (slope?.slope(t, out)) return;
      move(t);
      workspace.kernels.copyVector(n, trial.v, out);
      workspace.kernels.copyVector(n, dynamics.accelerations, out + 8 * n);
    },
    tolerate() {},
    jacobian() {
      if (stages) return stageJacobian(stages, dynamics, move);
      const derivatives = system.matrices.derivatives(stiffMemory(workspace));
      if (typeof derivatives === "string")
        return differencedStateSpace(ode, workspace, derivatives);
      const made = new FreeJacobian(system, entries, dynamics, derivatives, move);
      analytic = made;
      return made;
    },
  };
  return {
    ode,
    ...STATE_AS_UNKNOWNS,
    accelerations(out) {
      move(system.time);
      workspace.kernels.copyVector(n, dynamics.accelerations, out);
    },
    partition() {
      if (kept.chosen === 0) return undefined;
      const names = partition.names();
      return { positions: names, velocities: names, changes: 0, times: [] };
    },
  };
}

/** M J1 = d(Q - M a)/dq and M J2 = dQ/dv: what AnalyticJacobian finds if A is the unit matrix. */
class FreeJacobian implements OdeJacobian {
  readonly source = "analytic";
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #dynamics: StateSpaceDynamics;
  readonly #derivatives: EquationDerivatives;
  readonly #move: (t: number) => void;
  readonly #form: PiForm;
  readonly #mass: EntryList;
  readonly #unit: Address;
  readonly #product: Address;
  readonly #stride: number;

  constructor(
    system: System,
    entries: MatrixEntries,
    dynamics: StateSpaceDynamics,
    derivatives: EquationDerivatives,
    move: (t: number) => void,
  ) {
    const { workspace } = system;
    const { velocities: n } = system.coordinates;
    this.#system = system;
    this.#entries = entries;
    this.#dynamics = dynamics;
    this.#derivatives = derivatives;
    this.#move = move;
    this.#stride = n + (n % 2);
    this.#form = reservePiForm(workspace, n);
    this.#mass = new EntryList(workspace, "mass", entries.counts.mass);
    this.#unit = workspace.vector("unit rows", n * this.#stride);
    this.#product = workspace.vector("product of rows", n * this.#stride);
  }

  rebuild(): void {
    this.#mass.clear();
    for (const entry of this.#entries.at().mass) this.#mass.add(entry);
  }

  evaluate(t: number): void {
    this.#move(t);
    const { workspace, coordinates } = this.#system;
    const derivatives = this.#derivatives;
    const { mass, j1, j2 } = this.#form;
    const [stride, unit] = [this.#stride, this.#unit];
    derivatives.evaluate(this.#dynamics.accelerations, 0);
    const { kernels } = stiffMemory(workspace);
    kernels.unitRows(coordinates.velocities, stride, 0, coordinates.velocities, unit);
    this.#write(mass, (out) => this.#mass.timesRows(1, 0, stride, unit, out));
    this.#write(j1, (out) => derivatives.addStiffness(stride, unit, out));
    this.#write(j2, (out) => derivatives.addDamping(stride, unit, out));
  }

  shifted(complex: boolean) {
    const { workspace, coordinates } = this.#system;
    return piShifted(workspace, coordinates.velocities, this.#form, complex);
  }

  /** Writes rows, column-major. */
  #write(out: Address, add: (out: Address) => void): void {
    const { kernels } = stiffMemory(this.#system.workspace);
    const { velocities: n } = this.#system.coordinates;
    kernels.clearRows(n, this.#stride, this.#product);
    add(this.#product);
    kernels.squareByColumns(n, this.#stride, this.#product, out);
  }
}

/**
 * df/dy of p'' = a(p, p') as products with a mass matrix: M, M da/dp, M da/dp', each n x n, column-major.
 */
export interface PiForm {
  readonly mass: Address;
  readonly j1: Address;
  readonly j2: Address;
}

function reservePiForm(workspace: Workspace, n: number): PiForm {
  return {
    mass: workspace.vector("mass of the independent", n * n),
    j1: workspace.vector("M J1", n * n),
    j2: workspace.vector("M J2", n * n),
  };
}

/** Solves with I - alpha df/dy by Pi, of half the size (assembly/implicit/pi.ts). */
function piShifted(workspace: Workspace, n: number, form: PiForm, complex: boolean): ShiftedSolver {
  const stiff = stiffMemory(workspace);
  return complex ? complexPi(workspace, stiff, n, form) : realPi(workspace, stiff, n, form);
}

function realPi(
  workspace: Workspace,
  stiff: StiffMemory,
  n: number,
  { mass, j1, j2 }: PiForm,
): ShiftedSolver {
  const pi = workspace.vector("Pi", n * n);
  const factor = workspace.vector("factor of Pi", luSlots(n));
  const right = workspace.vector("right side of Pi", n);
  const memory = workspace.reserve("alpha of Pi", 1);
  let alpha = new Float64Array(1);
  workspace.whenSealed((arena) => {
    alpha = arena.floats(memory);
  });
  return {
    factor(real) {
      alpha[0] = real;
      stiff.kernels.newtonMatrix(n, real, mass, j1, j2, pi);
      return !failed(stiff.kernels.luFactor(n, pi, n, factor));
    },
    solve(b, x) {
      const half = 8 * n;
      stiff.kernels.piRight(n, alpha[0]!, mass, j1, b, b + half, right);
      stiff.kernels.luSolve(n, factor, right, x + half);
      workspace.kernels.axpy(n, alpha[0]!, x + half, b, x);
    },
  };
}

function complexPi(
  workspace: Workspace,
  stiff: StiffMemory,
  n: number,
  { mass, j1, j2 }: PiForm,
): ShiftedSolver {
  const factor = workspace.vector("complex Pi", 2 * n * n);
  const pivots = workspace.vector("pivots of complex Pi", n);
  const scratch = workspace.vector("scratch of complex Pi", 4 * n);
  const memory = workspace.reserve("alpha of complex Pi", 2);
  let alpha = new Float64Array(2);
  workspace.whenSealed((arena) => {
    alpha = arena.floats(memory);
  });
  return {
    factor(real, imaginary) {
      alpha[0] = real;
      alpha[1] = imaginary;
      stiff.kernels.complexPi(n, real, imaginary, mass, j1, j2, factor);
      return !failed(stiff.kernels.complexLuFactor(n, factor, pivots));
    },
    solve(b, x) {
      const [real, imaginary] = alpha as unknown as [number, number];
      stiff.kernels.complexPiSolve(n, real, imaginary, mass, j1, factor, pivots, b, x, scratch);
    },
  };
}

/**
 * Returns J1 and J2 by finite differences of the accelerations, with one evaluation per unknown, for systems with
 * user functions without derivatives. M is then the identity.
 */
function differencedStateSpace(ode: Ode, workspace: Workspace, why: string): OdeJacobian {
  const { dimension } = ode;
  const n = dimension / 2;
  const form = reservePiForm(workspace, n);
  const at = workspace.vector("state of J1 and J2", dimension);
  const rate = workspace.vector("rate for J1 and J2", dimension);
  let y = new Float64Array(0);
  let mass = y;
  workspace.whenSealed((arena) => {
    y = arena.floats({ name: "trial", address: ode.trial, slots: dimension });
    mass = arena.floats({ name: "mass", address: form.mass, slots: n * n });
  });
  return {
    source: `by differences: ${why}`,
    evaluate(t, f) {
      const { kernels } = workspace;
      for (let i = 0; i < n; i++) mass[i * (n + 1)] = 1;
      kernels.copyVector(dimension, ode.trial, at);
      for (let j = 0; j < dimension; j++) {
        checkLimits();
        const value = y[j]!;
        y[j] = value + differenceStep(value);
        // The increment after rounding.
        const exact = y[j]! - value;
        ode.rate(t, rate);
        const column = j < n ? form.j1 + 8 * n * j : form.j2 + 8 * n * (j - n);
        kernels.axpy(n, -1, f + 8 * n, rate + 8 * n, column);
        kernels.axpy(n, 1 / exact - 1, column, column, column);
        kernels.copyVector(dimension, at, ode.trial);
      }
    },
    shifted: (complex) => piShifted(workspace, n, form, complex),
  };
}

/** Iterations on positions: their maximum number, the error at which they end, and the largest accepted error. */
const NEWTON = { most: 25, enough: 2e-15, accepted: 1e-10 } as const;
/**
 * Fraction of the tolerance allowed as position error of a stage; iterations of stages leave 0.03 of the tolerance.
 * At a tolerance of 1e-3 this is 1e-10, an error of 0.01 N in springs of 1e8 N/m. The matrix of the stage
 * converts that back to 1e-10.
 */
const STAGE_ERROR_FRACTION = 1e-7;
/** Fraction of the error that an iteration may leave before A is refactored. */
const MAX_CONTRACTION = 0.1;

/**
 * Computes full coordinates from independent ones. With the chosen rows of the constraints and E, which selects the
 * independent positions, and q' = T v,
 *
 *       [ J  ]           positions:   A dx = (-phi, wanted - E q),  q displaced by dx, again and again
 *   A = [    ]           velocities:  A v  = (-dphi/dt, wanted)
 *       [ E T]           accelerations: A a = (gamma, wanted - E T' v)
 *
 * The factor of A is that of the last placed state. Successive states are close, so iterations with it converge fast;
 * otherwise A is refactored during the iteration.
 */
class DependentCoordinates {
  readonly matrix: SparseMatrix;
  /** q and v that were placed last. */
  readonly near: Address;
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #partition: Partition;
  readonly #stiff: StiffMemory;
  readonly #signs: DeterminantSigns;
  /** Right-hand sides and solutions. */
  readonly #right: Address;
  readonly #solution: Address;
  readonly #rates: Address;
  readonly #zero: Address;
  /** Positions of the last factorisation of A, and whether there was one. */
  readonly #factored: Address;
  readonly #kept: { isThere: number; knowsRows: number };
  /** Whether A is the unit matrix at every state: without rows, and with velocities that are rates of positions. */
  readonly #isUnit: boolean;
  /** Values of the rows at {@link near}, where iterations begin. */
  readonly #values: Address;
  #allowed: number = NEWTON.enough;

  constructor(system: System, entries: MatrixEntries, partition: Partition) {
    const { workspace } = system;
    const { velocities, positions } = system.coordinates;
    this.#system = system;
    this.#entries = entries;
    this.#partition = partition;
    this.#stiff = stiffMemory(workspace);
    const { jacobian, rates } = entries.counts;
    this.#isUnit = system.constraints.rows === 0 && system.coordinates.ratesAreVelocities;
    this.matrix = new SparseMatrix(workspace, "positions", velocities, jacobian + rates);
    this.#signs = new DeterminantSigns(workspace, "positions", this.matrix);
    this.near = workspace.vector("state placed last", positions + velocities);
    this.#right = workspace.vector("right side of positions", velocities);
    this.#solution = workspace.vector("displacement of positions", velocities);
    this.#rates = workspace.vector("rates of positions", positions);
    this.#zero = workspace.vector("velocities of rows", partition.chosenRows);
    this.#factored = workspace.vector("positions of the factor", positions);
    this.#kept = arenaRecord(workspace, "factor of positions", {
      isThere: 0,
      knowsRows: 0,
    });
    this.#values = workspace.vector("rows of the state placed last", system.constraints.rows);
  }

  /** Sets the tolerance of a run: see Ode. */
  tolerate(smallest: number): void {
    this.#allowed = Math.min(
      Math.max(STAGE_ERROR_FRACTION * smallest, NEWTON.enough),
      NEWTON.accepted,
    );
  }

  /** Rebuilds A after a change of the partition. */
  rebuild(): void {
    const { jacobian, rates } = this.#entries.at();
    this.matrix.clear();
    this.#signs.forget();
    this.#kept.isThere = 0;
    for (const [list, places] of [
      [jacobian, this.#partition.placesOfRows(0)],
      [rates, this.#partition.placesOfPositions(this.#partition.chosenRows)],
    ] as const) {
      for (const { row, column, address, scale } of list) {
        const place = places.get(row);
        if (place !== undefined) this.matrix.add(place, column, address, scale);
      }
    }
  }

  /**
   * Factors A at the trial state. The end of a step is the beginning of the next, so if all rows are on positions,
   * nothing is factored twice. A unit matrix is factored once, for the derivatives.
   */
  factor(t: number): void {
    const { coordinates, constraints, dynamics, trial, workspace } = this.#system;
    const kept = this.#kept;
    const isThere =
      kept.isThere === 1 &&
      (this.#isUnit ||
        (constraints.areTimeless &&
          this.#stiff.kernels.sameNumbers(coordinates.positions, trial.q, this.#factored) === 1));
    if (isThere) return;
    kept.isThere = 0;
    this.#entries.at().updateJacobian();
    dynamics.factorisations++;
    const row = this.matrix.factor();
    if (row >= 0) throw this.#singular(t, row);
    workspace.kernels.copyVector(coordinates.positions, trial.q, this.#factored);
    kept.isThere = 1;
  }

  /** x = A^-1 b. */
  #solve(b: Address, x: Address): void {
    const { workspace, coordinates } = this.#system;
    if (this.#isUnit) workspace.kernels.copyVector(coordinates.velocities, b, x);
    else this.matrix.solve(b, x);
  }

  condition(): number {
    const { kernels } = this.#stiff;
    return kernels.sparseLuCondition(this.matrix.table, this.#right, this.#solution);
  }

  /**
   * Returns the condition of A at a nearby pose with the same partition; infinite if the system provides no such
   * pose.
   */
  conditionNearby(t: number): number {
    const system = this.#system;
    const { nearby } = this.#entries.at();
    if (nearby === 0) return Number.POSITIVE_INFINITY;
    this.makeCurrent();
    system.coordinates.displace(system.trial.q, nearby);
    system.at(t);
    this.#entries.at().updateJacobian();
    const condition = this.matrix.factor() < 0 ? this.condition() : Number.POSITIVE_INFINITY;
    const { positions } = system.coordinates;
    system.workspace.kernels.copyVector(positions, this.near, system.trial.q);
    system.at(t);
    return condition;
  }

  /**
   * Records on which sides of singular poses the factored state is. Returns true if that has changed: in between, the
   * independent positions did not determine the others.
   */
  noteSides(): boolean {
    return this.#signs.note();
  }

  /** Returns the error for a state at which A is singular or nearly so, or for a step in which it was. */
  nearSingular(t: number): SimulationError {
    const row = this.#stiff.kernels.sparseLuWeakest(this.matrix.table);
    return this.#singular(t, row);
  }

  /**
   * Sets the trial state to that with these independent positions and velocities, and calls `at`. A stage is as
   * accurate as the tolerance requires, other states are exact.
   */
  complete(t: number, wanted: Address, isStage = false): void {
    const system = this.#system;
    const { trial } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = system.workspace;
    kernels.copyVector(positions + velocities, this.near, trial.q);
    system.at(t);
    this.#placePositions(t, wanted, isStage ? this.#allowed : NEWTON.enough);
    this.factor(t);
    this.#placeVelocities(wanted + 8 * this.#partition.freedom, isStage);
    kernels.copyVector(positions + velocities, trial.q, this.near);
    this.#kept.knowsRows = system.constraints.areTimeless ? 1 : 0;
  }

  /** Whether the trial state is the one placed last. */
  isCurrent(): boolean {
    const { trial } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    return this.#stiff.kernels.sameNumbers(positions + velocities, trial.q, this.near) === 1;
  }

  /** Makes the trial state the one from which the next states are placed. */
  makeCurrent(): void {
    const system = this.#system;
    const { kernels } = system.workspace;
    this.#kept.knowsRows = 0;
    kernels.copyVector(
      system.coordinates.positions + system.coordinates.velocities,
      system.trial.q,
      this.near,
    );
  }

  /** y = independent positions and velocities of the trial state. */
  take(y: Address): void {
    const system = this.#system;
    const { freedom, independent } = this.#partition;
    const v = system.trial.v;
    const { kernels } = this.#stiff;
    kernels.gather(freedom, independent.address, system.trial.q, y);
    system.coordinates.positionRate(v, 0, v, this.#rates);
    kernels.gather(freedom, independent.address, this.#rates, y + 8 * freedom);
  }

  #placePositions(t: number, wanted: Address, enough: number): void {
    const system = this.#system;
    const { trial, constraints, workspace } = system;
    const kept = this.#kept;
    let before = Number.POSITIVE_INFINITY;
    let own = false;
    for (let iteration = 0; iteration < NEWTON.most; iteration++) {
      // The first pose is the last one placed, whose rows are known, which saves one pass through the mechanism.
      if (kept.knowsRows === 0) {
        workspace.kernels.copyVector(constraints.rows, constraints.phi(), this.#values);
      }
      kept.knowsRows = 0;
      const error = this.#defect(this.#values, wanted, trial.q);
      if (error <= enough) return;
      // Rounding: the error no longer decreases.
      if (!(error < before) && before <= NEWTON.accepted) return;
      if (!(error < before) && own) break;
      if (iteration > 0 && (own ? error > MAX_CONTRACTION * before : isSlow(error, before))) {
        this.factor(t);
        own = true;
      }
      before = error;
      this.#solve(this.#right, this.#solution);
      system.coordinates.displace(trial.q, this.#solution);
      system.at(t);
    }
    if (before <= NEWTON.accepted) return;
    throw this.#unplaced(t, before);
  }

  /**
   * Computes the velocities of the trial state from any previous values. A is that of its positions. Velocities of a
   * stage are solved for directly. In accepted states they are corrected, which leaves only the rounding of a small
   * increment (otherwise rows that were not chosen were violated by 2e-11 on Bennett's linkage).
   */
  #placeVelocities(wanted: Address, isStage: boolean): void {
    const system = this.#system;
    const { kernels } = system.workspace;
    const v = system.trial.v;
    if (isStage && system.constraints.areTimeless) {
      const { chosenRows, freedom } = this.#partition;
      kernels.copyVector(chosenRows, this.#zero, this.#right);
      kernels.copyVector(freedom, wanted, this.#right + 8 * chosenRows);
      this.#solve(this.#right, v);
    } else {
      system.coordinates.positionRate(v, 0, v, this.#rates);
      this.#defect(system.constraints.phiDot(), wanted, this.#rates);
      this.#solve(this.#right, this.#solution);
      kernels.axpy(system.coordinates.velocities, 1, this.#solution, v, v);
    }
    system.atVelocity();
  }

  #defect(values: Address, wanted: Address, present: Address): number {
    const { chosenRows, freedom, rows, independent } = this.#partition;
    return this.#stiff.kernels.stateDefect(
      chosenRows,
      rows.address,
      values,
      freedom,
      independent.address,
      wanted,
      present,
      this.#right,
    );
  }

  #unplaced(t: number, residual: number): SimulationError {
    return new SimulationError(
      "SINGULAR",
      t,
      `Newton's iteration for the dependent positions did not converge at t = ${t} ` +
        `(independent: ${this.#partition.names().join(", ")}; residual ${residual.toExponential(2)}). ` +
        "The independent ones determine the others badly there, the pose is singular, or the step is too long: try a shorter " +
        "step, other positions, or udwadiaKalaba()",
    );
  }

  #singular(t: number, row: number): SimulationError {
    return new SimulationError(
      "SINGULAR",
      t,
      `the independent positions (${this.#partition.names().join(", ")}) do not determine the others near t = ${t}: ` +
        `${this.#partition.rowName(row)} is left over. The pose is singular, or the step is too long: try a shorter ` +
        "step, other positions, or udwadiaKalaba(), which goes through singular poses",
    );
  }
}

/** Whether more than two further iterations would be needed at the last rate. */
function isSlow(error: number, before: number): boolean {
  if (!(error < before)) return true;
  const rate = error / before;
  return error * rate * rate > NEWTON.enough;
}

/**
 * J1 = dp''/dp and J2 = dp''/dp' of the independent positions p, times their mass matrix, analytically. All
 * displacements B dp along the constraints, and their effects on v and a, follow from A (state-space.ts):
 *
 *   A B  = (0, I)
 *   A N1 = -d(A v)/dx B                           dv/dp  = N1,   dv/dp' = B
 *   A N2 = d(r - A a)/dx B + dr/dv N1             da/dp  = N2 + B J1,   r = (gamma, -E T' v)
 *   A N3 = dr/dv B                                da/dp' = N3 + B J2
 *
 * Maggi's equations B^T (M a - Q) = 0 are differentiated. M a - Q = J^T lambda, and B^T J^T = 0 for all
 * positions, so that dB^T (M a - Q) = -B^T d(J^T lambda)/dx B dp: with K = d(Q + J^T lambda - M a)/dx and
 * C = dQ/dv,
 *
 *   B^T M B J1 = B^T (K B + C N1 - M N2)          B^T M B J2 = B^T (C B - M N3)
 *
 * N2 and N3 are not solved for: B^T M A^-1 = W^T with A^T W = M B. These are eqs. 27 to 40 of Negrut, Haug and
 * German 2003, with their misprints corrected, in fewer solves.
 */
class AnalyticJacobian implements OdeJacobian {
  readonly source = "analytic";
  /** Result of {@link evaluate}. */
  readonly form: PiForm;
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #partition: Partition;
  readonly #placement: DependentCoordinates;
  readonly #dynamics: StateSpaceDynamics;
  readonly #derivatives: EquationDerivatives;
  readonly #rows: EntryList;
  readonly #mass: EntryList;
  readonly #tables: readonly Address[];
  readonly #product: Address;
  readonly #list: Address;
  readonly #lambda: Address;
  readonly #move: (t: number) => void;

  /** `move` makes the trial of the unknowns the trial state, and finds its accelerations. */
  constructor(
    system: System,
    entries: MatrixEntries,
    partition: Partition,
    placement: DependentCoordinates,
    dynamics: StateSpaceDynamics,
    derivatives: EquationDerivatives,
    move: (t: number) => void,
  ) {
    const { workspace } = system;
    const { velocities: n } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#entries = entries;
    this.#partition = partition;
    this.#placement = placement;
    this.#dynamics = dynamics;
    this.#derivatives = derivatives;
    this.#move = move;
    const { length } = derivatives.rows;
    this.#rows = new EntryList(workspace, "derivatives", length + derivatives.rates.length);
    this.#mass = new EntryList(workspace, "mass", entries.counts.mass);
    const { freedom } = partition;
    const table = n * this.#stride;
    const names = ["B", "M B", "W", "N1", "K B + C N1", "rows", "scratch"];
    this.#tables = names.map((name) => workspace.vector(name, table));
    this.#product = workspace.vector("product of rows", freedom * this.#stride);
    this.#list = workspace.vector("list of rows", Math.ceil(n / 2));
    this.#lambda = workspace.vector("multipliers for derivatives", rows);
    this.form = reservePiForm(workspace, freedom);
  }

  get #stride(): number {
    return this.#partition.freedom + (this.#partition.freedom % 2);
  }

  /** The partition is another one. */
  rebuild(): void {
    const partition = this.#partition;
    this.#rows.clear();
    for (const [list, map] of [
      [this.#derivatives.rows, partition.placesOfRows(0)],
      [this.#derivatives.rates, partition.placesOfPositions(partition.chosenRows)],
    ] as const) {
      for (const entry of list) {
        const row = map.get(entry.row);
        if (row !== undefined) this.#rows.add({ ...entry, row });
      }
    }
    this.#mass.clear();
    for (const entry of this.#entries.at().mass) this.#mass.add(entry);
  }

  evaluate(t: number): void {
    const { workspace } = this.#system;
    const { velocities: n } = this.#system.coordinates;
    this.#move(t);
    this.#dynamics.multipliers(this.#lambda);
    this.#derivatives.evaluate(this.#dynamics.accelerations, this.#lambda);
    const { kernels } = stiffMemory(workspace);
    const { chosenRows, freedom } = this.#partition;
    const derivatives = this.#derivatives;
    const { biasOffset, gyroscopicOffset } = derivatives;
    const stride = this.#stride;
    const { table } = this.#placement.matrix;
    const [b, mb, w, n1, forces, rows, scratch] = this.#tables as Seven;
    kernels.unitRows(n, stride, chosenRows, freedom, rows);
    kernels.sparseLuSolveRows(table, stride, rows, b, scratch);
    kernels.clearRows(n, stride, mb);
    this.#mass.timesRows(1, 0, stride, b, mb);
    this.#write(1, b, mb, 0, b, b, this.form.mass);
    kernels.sparseLuSolveRowsTransposed(table, stride, mb, w, scratch);
    kernels.clearRows(n, stride, rows);
    this.#rows.timesRows(-1, 0, stride, b, rows);
    kernels.sparseLuSolveRows(table, stride, rows, n1, scratch);

    kernels.clearRows(n, stride, forces);
    derivatives.addStiffness(stride, b, forces);
    derivatives.addDamping(stride, n1, forces);
    kernels.clearRows(n, stride, rows);
    this.#rows.timesRows(1, biasOffset, stride, b, rows);
    this.#rows.timesRows(1, gyroscopicOffset, stride, n1, rows);
    this.#write(1, b, forces, -1, w, rows, this.form.j1);

    kernels.clearRows(n, stride, forces);
    derivatives.addDamping(stride, b, forces);
    kernels.clearRows(n, stride, rows);
    this.#rows.timesRows(1, gyroscopicOffset, stride, b, rows);
    this.#write(1, b, forces, -1, w, rows, this.form.j2);
  }

  shifted(complex: boolean) {
    return piShifted(this.#system.workspace, this.#partition.freedom, this.form, complex);
  }

  /** out = f X^T Y + g U^T V, column-major. */
  #write(f: number, x: Address, y: Address, g: number, u: Address, v: Address, out: Address): void {
    const { workspace } = this.#system;
    const { velocities: n } = this.#system.coordinates;
    const { kernels } = stiffMemory(workspace);
    const { freedom } = this.#partition;
    const stride = this.#stride;
    kernels.clearRows(freedom, stride, this.#product);
    kernels.rowsProduct(n, freedom, stride, f, x, y, this.#product, this.#list);
    if (g !== 0) kernels.rowsProduct(n, freedom, stride, g, u, v, this.#product, this.#list);
    kernels.squareByColumns(freedom, stride, this.#product, out);
  }
}

type Seven = [Address, Address, Address, Address, Address, Address, Address];

/** Options of {@link stateSpace}. */
export interface StateSpaceOptions {
  /**
   * Names or indices of the independent positions, as many as there are degrees of freedom. Default: chosen by
   * complete pivoting, and rechosen when they determine the others badly.
   */
  readonly independent?: readonly (string | number)[];
  /** Relative size below which a pivot is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<StateSpaceOptions> = {
  independent: listOf(nameOrIndex, "a list of names or indices of positions"),
  tolerance: rankTolerance,
};

/** Growth of the condition of A after which another partition is chosen (Negrut et al. 2003, section 4). */
const MAX_CONDITION_GROWTH = 1.25;
/**
 * A pose is singular to the method if the condition of the best partition exceeds by this factor the best so far, or
 * that at a pose near the initial one. Errors of velocities have grown equally, and the motion may continue on
 * another branch. With the initial pose as the only reference, a run that began 1e-7 rad before a flat pose ended in
 * it with status finished.
 */
const SINGULAR_CONDITION_GROWTH = 1e3;

/**
 * Coordinate partitioning in state space: the unknowns are independent positions, as many as there are degrees of
 * freedom, and their velocities; all other coordinates follow from the constraints, to rounding. A partition is kept
 * for many steps, so multistep and implicit methods integrate an ODE of the smallest size. For holonomic
 * constraints only; fails at singular poses.
 *
 * @example
 * solve(system, { span: [0, 5], method: { formulation: stateSpace(), integrator: sdirk4() } });
 * stateSpace({ independent: ["theta1", "theta2"] });   // always these
 */
export function stateSpace(options: StateSpaceOptions = {}, ...more: undefined[]): Formulation {
  const read = optionsOf("stateSpace", "METHOD", options, SHAPE, more);
  const { independent, tolerance = RANK_TOLERANCE } = read;
  if (independent !== undefined || tolerance !== RANK_TOLERANCE)
    return made(independent, tolerance);
  // One object for all calls: `solve` uses it as the key for memory of earlier runs.
  usual ??= Object.freeze(made(undefined, tolerance));
  return usual;
}

let usual: Formulation | undefined;

function made(independent: StateSpaceOptions["independent"], tolerance: number): Formulation {
  return {
    ...PLAIN_FORMULATION,
    name: "stateSpace",
    reference:
      "Wehage and Haug, J. Mech. Des. 104 (1982) 247-255; Negrut, Haug and German, Multibody Syst. Dyn. 9 (2003) 121-142",
    level: "position",
    survivesRedundantRows: false,
    needs: "matrices",
    namedPositions: independent ?? [],
    bind: (system) => bindStateSpace(system, independent, tolerance),
  };
}

/** `sparse`: whether stages are solved by a sparse matrix. Default: the cheaper choice. */
export function bindStateSpace(
  system: System,
  pinned: readonly (string | number)[] | undefined,
  tolerance: number,
  sparse?: boolean,
): BoundFormulation {
  const { workspace, trial } = system;
  const { positions, velocities } = system.coordinates;
  if (system.constraints.rows > system.constraints.holonomicRows) {
    throw new NodriftError(
      "METHOD",
      "stateSpace takes constraints on positions only: rolling and other constraints on velocities need " +
        "udwadiaKalaba()",
    );
  }
  const entries = entriesOf(system);
  const partition = new Partition(system, entries, { independent: pinned, tolerance });
  const dynamics = new StateSpaceDynamics(system, entries, partition);
  const { freedom } = partition;
  const isSparse = () => sparse ?? isSparseCheaper(freedom, velocities, entries.counts.mass);
  if (
    system.constraints.rows === 0 &&
    system.coordinates.ratesAreVelocities &&
    sparse === undefined
  ) {
    const stages = system.matrices.stages(stiffMemory(workspace));
    if (stages || !isSparse()) return bindFree({ system, entries, partition, dynamics, stages });
  }
  const placement = new DependentCoordinates(system, entries, partition);
  const y = workspace.vector("independent", 2 * freedom);
  const yTrial = workspace.vector("trial of the independent", 2 * freedom);
  const yMoved = workspace.vector("independent, moved to last", 2 * freedom);
  const kept = arenaRecord(workspace, "state space", {
    condition: 0,
    best: 0,
    chosen: 0,
    moved: 0,
    time: 0,
  });
  const changes = new ChangeLog(workspace, "state space: changes");
  const stiff = stiffMemory(workspace);

  /**
   * Chooses a partition at the trial state if there is none or the present one has become bad. Returns true if it is
   * new.
   */
  function check(t: number): boolean {
    const { chosen } = kept;
    if (chosen === 1) {
      placement.factor(t);
      if (placement.condition() <= MAX_CONDITION_GROWTH * kept.condition) return false;
    }
    const changed = partition.choose(t) || chosen !== 1;
    if (changed) {
      if (chosen === 1) changes.note(t);
      placement.rebuild();
      dynamics.rebuild();
      analytic?.rebuild();
    }
    const others = chosen === 1 ? kept.best : placement.conditionNearby(t);
    placement.factor(t);
    const condition = placement.condition();
    const best = Math.min(others, condition);
    if (condition > SINGULAR_CONDITION_GROWTH * best) throw placement.nearSingular(t);
    kept.condition = condition;
    kept.best = best;
    kept.chosen = 1;
    return changed;
  }

  /**
   * Sets the trial state to the trial unknowns and computes its accelerations, unless it is current. If only the time
   * differs, and rows do not depend on it, state and matrices are the same and only forces are recomputed.
   */
  function move(t: number): void {
    const isSame =
      kept.moved === 1 &&
      stiff.kernels.sameNumbers(2 * freedom, yTrial, yMoved) === 1 &&
      placement.isCurrent();
    if (isSame && kept.time === t && system.time === t) return;
    // Invalid until both are done, as one of them may fail.
    kept.moved = 0;
    if (isSame && system.constraints.areTimeless) {
      system.at(t);
      dynamics.solveAgain(t);
    } else {
      placement.complete(t, yTrial, true);
      dynamics.solve(t);
    }
    workspace.kernels.copyVector(2 * freedom, yTrial, yMoved);
    kept.moved = 1;
    kept.time = t;
  }

  let analytic: { rebuild(): void } | undefined;
  const ode: Ode = {
    dimension: 2 * freedom,
    positions: freedom,
    y,
    trial: yTrial,
    rate(t, out) {
      move(t);
      workspace.kernels.copyVector(freedom, yTrial + 8 * freedom, out);
      dynamics.independent(out + 8 * freedom);
    },
    tolerate: (smallest) => placement.tolerate(smallest),
    jacobian() {
      const stages = sparse === undefined ? system.matrices.stages(stiff) : undefined;
      if (stages) return stageJacobian(stages, dynamics, move);
      const derivatives = system.matrices.derivatives(stiff);
      if (typeof derivatives === "string") {
        return differencedStateSpace(ode, workspace, derivatives);
      }
      const given = [derivatives, move] as const;
      const made = isSparse()
        ? new SparseJacobian(system, entries, partition, dynamics, ...given)
        : new AnalyticJacobian(system, entries, partition, placement, dynamics, ...given);
      analytic = made;
      return made;
    },
  };
  return {
    ode,
    ...STATE_AS_UNKNOWNS,
    beginStep(t) {
      system.load(t);
      kept.moved = 0;
      const changed = check(t);
      placement.noteSides();
      placement.makeCurrent();
      placement.take(y);
      return changed;
    },
    endStep(t) {
      kept.moved = 0;
      placement.complete(t, y);
      // The step crossed a singular A and may have jumped to another branch.
      if (placement.noteSides()) throw placement.nearSingular(t);
      system.store();
    },
    accelerations(out: Address) {
      if (kept.chosen !== 1) check(system.time);
      kept.moved = 0;
      dynamics.solve(system.time);
      workspace.kernels.copyVector(velocities, dynamics.accelerations, out);
    },
    partition() {
      if (kept.chosen !== 1) return undefined;
      const names = partition.names();
      const { ratesAreVelocities } = system.coordinates;
      const velocities = ratesAreVelocities ? names : names.map((name) => `${name}'`);
      return { positions: names, velocities, changes: changes.count, times: changes.times() };
    },
    expandState(t, unknowns, out) {
      kept.moved = 0;
      placement.complete(t, unknowns);
      workspace.kernels.copyVector(positions + velocities, trial.q, out);
    },
  };
}

/**
 * Signs of the determinants of a matrix's irreducible blocks. Each changes when its block becomes singular. The sign
 * of the full determinant does not change if two blocks become singular together, like those of two equal loops.
 */
export class DeterminantSigns {
  readonly #matrix: SparseMatrix;
  readonly #stiff: StiffMemory;
  readonly #addresses: Readonly<Record<"places" | "blocks" | "signs", Address>>;
  readonly #write: (places: Int32Array, blocks: Int32Array) => void;
  /** Number of blocks, once found; stored in memory like all data found with them. */
  readonly #kept: { count: number };

  /** Reserves memory. */
  constructor(workspace: Workspace, name: string, matrix: SparseMatrix) {
    const { size } = matrix;
    this.#matrix = matrix;
    this.#stiff = stiffMemory(workspace);
    const reserve = (what: string, count: number) =>
      workspace.reserve(`${name}: ${what}`, Math.ceil(count / 2));
    const segments = {
      places: reserve("places", 2 * size),
      blocks: reserve("blocks", size),
      signs: reserve("signs", 2 * size),
    };
    const { places, blocks, signs } = segments;
    this.#addresses = { places: places.address, blocks: blocks.address, signs: signs.address };
    let [ofLines, ofPlaces] = [new Int32Array(0), new Int32Array(0)];
    workspace.whenSealed((arena) => {
      ofLines = arena.integers(places);
      ofPlaces = arena.integers(blocks);
    });
    this.#kept = arenaRecord(workspace, `${name}: number of blocks`, { count: 0 });
    this.#write = (lines, own) => {
      ofLines.set(lines);
      ofPlaces.set(own);
    };
  }

  /** Discards the blocks. Call when the entries of the matrix change. */
  forget(): void {
    this.#kept.count = 0;
  }

  /** Records the signs at the present factor. Returns true if some differ from those recorded before. */
  note(): boolean {
    const kept = this.#kept;
    if (kept.count === 0) {
      const { count, places, blocks } = irreducibleBlocks(this.#matrix.pattern());
      this.#write(places, blocks);
      kept.count = count;
    }
    const { places, blocks, signs } = this.#addresses;
    const { kernels } = this.#stiff;
    const { table } = this.#matrix;
    return kernels.sparseLuSigns(table, places, blocks, kept.count, signs) >= 0;
  }
}
