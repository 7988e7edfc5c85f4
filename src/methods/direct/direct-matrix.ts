import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import { checkLimits } from "../../base/run-limits.js";
import type { MatrixEntry, System } from "../../interfaces/index.js";
import { differenceStep } from "../newton/dense-jacobian.js";
import { PowerMatrix, type PowerSolver } from "../newton/sparse-lu.js";
import { entriesOf, type MatrixEntries, Partition } from "../state-space/partition.js";

/** Maximum nonzeros of L, and of U, per equation and per pair of bodies that elimination couples. */
const FILL = { equation: 24, block: 400 } as const;

/**
 * Levels of the constraints that are solved for; "all" means positions, velocities and accelerations. Nonholonomic
 * rows are always included, on velocities.
 */
export type Level = "positions" | "velocities" | "both" | "all";

/** Choice of the unknowns. */
interface DirectShape {
  readonly level: Level;
  /**
   * Whether q, v and a are unknowns, as in stages of Runge-Kutta methods. Otherwise only displacements are, and v and
   * a follow from them.
   */
  readonly isStage: boolean;
  /** dv = damping / alpha w, with dx = w without constraints and alpha^2 dv' = w. 1 for stages. */
  readonly damping: number;
}

/** Offsets of the groups of unknowns (columns) and of equations (rows). */
interface UnknownOffsets {
  readonly size: number;
  readonly q: number;
  readonly x: number;
  readonly w: number;
  readonly e: number;
  readonly z: number;
  readonly multipliers: number;
  readonly corrections: number;
  readonly impulses: number;
  readonly toPositions: number;
  readonly toRates: number;
  readonly toVelocities: number;
  readonly motion: number;
  readonly toFree: number;
  readonly constraints: number;
  readonly closure: number;
  readonly accelerations: number;
}

/**
 * Newton matrix of methods that keep all coordinates and multipliers as unknowns. A stage of
 * D y' = f(t, y), y = (q, v, a, lambda, mu), with the right-hand side b of (D - alpha df/dy) dy = b is
 *
 *   dq - alpha d(T v)/dx dx - T z              = b_q        dx - T^+ dq = 0
 *   w - e                                      = alpha b_v  z - w - J^T mu' = 0
 *   M e - alpha C w - alpha^2 K dx + J^T nu    = alpha b_a
 *   alpha J dx = -b  (constraints on positions)   J w + alpha P dx = -b  (on velocities)
 *
 * and with constraints on accelerations also
 *
 *   w - e - J^T eta' = alpha b_v   in place of w - e = alpha b_v,   J e + alpha^2 d(J a - gamma)/dx dx - alpha dgamma/dv w = -alpha b
 *
 * in the unknowns dq, dx, w = alpha dv, e = alpha^2 da, nu = -alpha^2 dlambda, mu' = alpha dmu and eta' = alpha^2
 * deta. For alpha = 0 it is [M J^T; J 0] in e and nu, regular however short the step is (Bottasso, Bauchau and
 * Cardona, J. Comput. Nonlinear Dyn. 2 (2007) 3-12, and Multibody Syst. Dyn. 19 (2008) 235-250, reach this by scaling
 * rows and columns with h). Rejected: the matrix for dq, dv, da and dlambda themselves, whose condition grows as h^-3
 * or so.
 *
 * It contains only rows that are independent at the initial state; redundant rows keep their given multipliers.
 */
export class DirectMatrix {
  readonly linearisation: DirectLinearisation;
  readonly partition: Partition;
  readonly places: UnknownOffsets;
  readonly #system: System;
  readonly #shape: DirectShape;
  readonly #entries: MatrixEntries;
  readonly #stiff: StiffMemory;
  readonly #matrix: PowerMatrix;
  readonly #one: Address;
  /** Addresses of M, J and T, and copies of their values at the linearised state, since later states overwrite them. */
  readonly #sources: Address;
  readonly #copies: Address;
  #sourceList = new Int32Array(0);
  #count = new Float64Array(1);

  constructor(system: System, shape: DirectShape, tolerance: number) {
    const { workspace } = system;
    this.#system = system;
    this.#shape = shape;
    this.#entries = entriesOf(system);
    this.#stiff = stiffMemory(workspace);
    this.partition = new Partition(system, this.#entries, { independent: undefined, tolerance });
    this.linearisation = linearisationOf(system, shape.level === "all");
    this.places = placesOf(system, shape, this.partition.chosenRows);
    this.#one = workspace.constants("one", [1]);
    const { size } = this.places;
    const { mass, jacobian, rates } = this.#entries.counts;
    const { stiffness, rows, rates: turns, biases } = this.linearisation;
    const derivatives = 2 * stiffness.length + rows.length + turns.length + 2 * biases.length;
    const most = mass + 6 * jacobian + 2 * rates + derivatives + 3 * size;
    const couplings = this.linearisation.couplings();
    const capacity =
      couplings === undefined ? undefined : FILL.equation * size + FILL.block * couplings;
    this.#matrix = new PowerMatrix(workspace, "direct", size, most, capacity);
    const copied = mass + jacobian + rates;
    const sources = workspace.reserve("addresses of copies for direct", Math.ceil(copied / 2));
    const count = workspace.reserve("number of copies for direct", 1);
    this.#sources = sources.address;
    this.#copies = workspace.vector("copies for direct", copied);
    workspace.whenSealed((arena) => {
      this.#sourceList = arena.integers(sources);
      this.#count = arena.floats(count);
    });
  }

  /** Chooses the independent rows at the trial state, and lays out the matrix. */
  choose(t: number): void {
    this.partition.choose(t);
    this.#matrix.clear();
    this.#count[0] = 0;
    this.#addPositions();
    this.#addMotion();
    this.#addConstraints();
  }

  /** Linearises at the trial state with the given accelerations and multipliers. */
  evaluate(t: number, accelerations: Address, multipliers: Address): void {
    this.linearisation.evaluate(t, accelerations, multipliers);
    this.#entries.at().updateMass();
    this.#entries.at().updateJacobian();
    this.#stiff.kernels.gatherValues(this.#count[0]!, this.#sources, this.#copies);
  }

  solver(complex: boolean): PowerSolver {
    return this.#matrix.solver(complex);
  }

  /** Returns the error for a matrix that is singular at a row. */
  singular(row: number): SimulationError {
    const { constraints, coordinates, time } = this.#system;
    const { constraints: first, motion } = this.places;
    const { chosenRows } = this.partition;
    // Groups of constraint rows are contiguous.
    const index = row >= first ? (row - first) % Math.max(chosenRows, 1) : -1;
    const isRow = index >= 0 && index < chosenRows;
    const name = isRow
      ? constraints.rowNames[this.partition.rowAt(index)]
      : coordinates.velocityNames[Math.max(0, row - motion) % Math.max(coordinates.velocities, 1)];
    return new SimulationError(
      "SINGULAR",
      time,
      `the matrix of the Newton iteration is singular at t = ${time}, at "${name}": ` +
        "a constraint depends on others there, a coordinate has no mass, or something is not finite. Take shorter " +
        "steps, or use udwadiaKalaba() where constraints lose rank",
    );
  }

  /** Adds the equations of dq, dx, w, e and z. */
  #addPositions(): void {
    const { coordinates } = this.#system;
    const { velocities: n, positions } = coordinates;
    const { q, x, w, e, z, toPositions, toRates, toVelocities, toFree } = this.places;
    const { isStage, level } = this.#shape;
    const one = (row: number, column: number, factor: number) =>
      this.#matrix.add(row, column, this.#one, factor, 0);
    if (isStage) {
      for (let i = 0; i < positions; i++) one(toPositions + i, q + i, 1);
      for (const entry of this.linearisation.rates) {
        this.#matrix.add(toPositions + entry.row, x + entry.column, entry.address, -1, 1);
      }
      for (const { row, column, address, scale } of this.#entries.at().rates) {
        const copy = this.#copied(address);
        this.#matrix.add(toPositions + row, z + column, copy, -scale, 0);
        if (x !== q) this.#matrix.add(toRates + column, q + row, copy, -1 / scale, 0);
      }
      if (x !== q) for (let j = 0; j < n; j++) one(toRates + j, x + j, 1);
      for (let j = 0; j < n; j++) {
        one(toVelocities + j, w + j, 1);
        one(toVelocities + j, e + j, -1);
      }
    }
    if (level !== "both" && level !== "all") return;
    // z - w - J^T mu' = 0, or without stages dx - w - J^T mu' = 0.
    for (let j = 0; j < n; j++) {
      one(toFree + j, z + j, 1);
      one(toFree + j, w + j, -1);
    }
  }

  /** M e - alpha C w - alpha^2 K dx */
  #addMotion(): void {
    const { motion, x, w, e } = this.places;
    for (const { row, column, address, scale } of this.#entries.at().mass) {
      this.#matrix.add(motion + row, e + column, this.#copied(address), scale, 0);
    }
    const { stiffness, damping } = this.linearisation;
    for (const { row, column, address } of stiffness) {
      this.#matrix.add(motion + row, x + column, address, -1, 2);
    }
    for (const { row, column, address } of damping) {
      this.#matrix.add(motion + row, w + column, address, -this.#shape.damping, 1);
    }
  }

  /** Adds J, its transpose, and P. */
  #addConstraints(): void {
    const places = this.places;
    const { motion, x, w, multipliers, corrections, constraints, closure, toFree } = places;
    const { holonomicRows } = this.#system.constraints;
    const { level, damping } = this.#shape;
    const isAll = level === "all";
    const isBoth = level === "both" || isAll;
    const matrix = this.#matrix;
    const chosen = this.partition.placesOfRows(0);
    const isOnPositions = (row: number) => level === "positions" && row < holonomicRows;
    for (const { row, column, address, scale } of this.#entries.at().jacobian) {
      const place = chosen.get(row);
      if (place === undefined) continue;
      const copy = this.#copied(address);
      matrix.add(motion + column, multipliers + place, copy, scale, 0);
      if (isOnPositions(row)) matrix.add(constraints + place, x + column, copy, scale, 1);
      else matrix.add(constraints + place, w + column, copy, scale, 0);
      if (isAll) {
        matrix.add(places.toVelocities + column, places.impulses + place, copy, -scale, 0);
        matrix.add(places.accelerations + place, places.e + column, copy, scale, 0);
      }
      if (!isBoth || row >= holonomicRows) continue;
      matrix.add(toFree + column, corrections + place, copy, -scale, 0);
      matrix.add(closure + place, x + column, copy, scale, 1);
    }
    for (const { row, column, address } of this.linearisation.rows) {
      const place = chosen.get(row);
      if (place === undefined || isOnPositions(row)) continue;
      matrix.add(constraints + place, x + column, address, 1 / damping, 1);
    }
    for (const { row, column, address } of this.linearisation.biases) {
      const place = chosen.get(row);
      if (place === undefined) continue;
      matrix.add(places.accelerations + place, x + column, address, -1, 2);
      const gyroscopic = address + this.linearisation.gyroscopicOffset;
      matrix.add(places.accelerations + place, w + column, gyroscopic, -1, 1);
    }
    if (!isBoth) return;
    // Nonholonomic rows do not correct positions.
    for (const [row, place] of chosen) {
      if (row >= holonomicRows) matrix.add(closure + place, corrections + place, this.#one, 1, 0);
    }
  }

  /** Returns the address of the copy of a value. */
  #copied(address: MatrixEntry["address"]): Address {
    const index = this.#count[0]!;
    this.#sourceList[index] = address;
    this.#count[0] = index + 1;
    return this.#copies + 8 * index;
  }
}

/** Returns the offsets of groups. Groups of equal unknowns share an offset, so no unknown is stored twice. */
function placesOf(
  { coordinates }: System,
  { level, isStage }: DirectShape,
  chosenRows: number,
): UnknownOffsets {
  const { positions, velocities: n, ratesAreVelocities } = coordinates;
  let size = 0;
  const take = (count: number) => {
    size += count;
    return size - count;
  };
  const isAll = level === "all";
  const isBoth = level === "both" || isAll;
  const q = isStage ? take(positions) : 0;
  const x = isStage && ratesAreVelocities ? q : take(n);
  const w = isStage || isBoth ? take(n) : x;
  const e = isStage ? take(n) : w;
  const z = isBoth ? (isStage ? take(n) : x) : w;
  const multipliers = take(chosenRows);
  const corrections = isBoth ? take(chosenRows) : -1;
  const impulses = isAll ? take(chosenRows) : -1;
  const columns = size;
  size = 0;
  const toPositions = isStage ? take(positions) : 0;
  const toRates = isStage && !ratesAreVelocities ? take(n) : 0;
  const toVelocities = isStage ? take(n) : 0;
  const toFree = isBoth ? take(n) : 0;
  const motion = take(n);
  const constraints = take(chosenRows);
  const closure = isBoth ? take(chosenRows) : -1;
  const accelerations = isAll ? take(chosenRows) : -1;
  return {
    size: columns,
    q,
    x,
    w,
    e,
    z,
    multipliers,
    corrections,
    impulses,
    toPositions,
    toRates,
    toVelocities,
    motion,
    toFree,
    constraints,
    closure,
    accelerations,
  };
}

/**
 * Derivatives at the trial state of the equations of a direct method: g(q, v) = Q + J^T lambda - M a at fixed a and
 * lambda, Phi', q' = T v, and gamma - J a if constraints on accelerations are solved for. Displacements x have the
 * form of velocities: q changes by T x.
 */
export interface DirectLinearisation {
  /** "analytic" with any omissions, or "by differences" with the reason. */
  readonly source: string;
  /** K = dg/dx. */
  readonly stiffness: readonly MatrixEntry[];
  /** C = dg/dv. */
  readonly damping: readonly MatrixEntry[];
  /** P = d(Phi')/dx, by rows of constraints. */
  readonly rows: readonly MatrixEntry[];
  /** d(T v)/dx, by positions. */
  readonly rates: readonly MatrixEntry[];
  /**
   * d(gamma - J a)/dx, by rows of constraints, followed at a fixed offset by dgamma/dv. Empty unless constraints on
   * accelerations are solved for.
   */
  readonly biases: readonly MatrixEntry[];
  /** Offset of dgamma/dv in bytes. */
  readonly gyroscopicOffset: number;
  /** Returns the number of 6 x 6 blocks that elimination couples; undefined if matrices are full. */
  couplings(): number | undefined;
  /** Computes all derivatives at time t for given accelerations and multipliers. */
  evaluate(t: number, accelerations: Address, multipliers: Address): void;
}

/** Returns the analytic linearisation if the system has one, otherwise finite differences. Reserves memory. */
export function linearisationOf(system: System, hasAccelerations: boolean): DirectLinearisation {
  const found = system.matrices.derivatives(stiffMemory(system.workspace));
  if (typeof found === "string") {
    return differenced(system, hasAccelerations, found);
  }
  const { rows, holonomicRows } = system.constraints;
  return {
    // Primitives on velocities have no second derivatives; iterations converge slightly slower without them.
    source:
      rows > holonomicRows ? "analytic, but for the turning of rows on velocities" : "analytic",
    stiffness: found.forces,
    damping: found.forces.map((entry) => ({
      ...entry,
      address: entry.address + found.dampingOffset,
    })),
    rows: found.rows,
    rates: found.rates,
    biases: hasAccelerations
      ? found.rows.map((entry) => ({ ...entry, address: entry.address + found.biasOffset }))
      : [],
    gyroscopicOffset: found.gyroscopicOffset - found.biasOffset,
    couplings: () => found.couplings(),
    evaluate: (_t, accelerations, multipliers) => found.evaluate(accelerations, multipliers),
  };
}

/** One-sided finite differences: two evaluations for each velocity. */
function differenced(system: System, hasAccelerations: boolean, why: string): DirectLinearisation {
  const { workspace, coordinates, constraints, trial } = system;
  const { positions, velocities: n, ratesAreVelocities } = coordinates;
  const { rows } = constraints;
  const turning = ratesAreVelocities ? 0 : positions;
  const biased = hasAccelerations ? rows : 0;
  const height = n + rows + turning + biased;
  const table = workspace.vector("derivatives by differences", 2 * n * height);
  const at = workspace.vector("values that are differenced", height);
  const state = workspace.vector("state that is differenced", positions + n);
  const step = workspace.reserve("displacement of differences", n);
  const scratch = workspace.vector("products of differences", n);
  let numbers = new Float64Array(0);
  let places = new Float64Array(0);
  let displacement = new Float64Array(0);
  workspace.whenSealed((arena) => {
    numbers = arena.floats({ name: "v", address: trial.v, slots: n });
    places = arena.floats({ name: "q", address: trial.q, slots: positions });
    displacement = arena.floats(step);
  });

  /** out = g, Phi', T v and gamma - J a at the trial state. */
  function values(accelerations: Address, multipliers: Address, out: Address): void {
    writeBalance(system, accelerations, multipliers, scratch, out);
    workspace.kernels.copyVector(rows, constraints.phiDot(), out + 8 * n);
    if (turning > 0) coordinates.positionRate(trial.v, 0, trial.v, out + 8 * (n + rows));
    if (biased > 0) writeRest(system, accelerations, -1, out + 8 * (n + rows + turning));
  }

  /** Divides the changes since `at` by a length, and restores the state. */
  function finish(t: number, column: Address, length: number): void {
    const { kernels } = workspace;
    kernels.axpy(height, -1, at, column, column);
    kernels.axpy(height, 1 / length - 1, column, column, column);
    kernels.copyVector(positions + n, state, trial.q);
    system.at(t);
  }

  const entries = (first: number, count: number, shift: number): MatrixEntry[] =>
    Array.from({ length: n * count }, (_, k) => {
      const [column, row] = [Math.floor(k / count), k % count];
      return {
        row,
        column,
        address: table + 8 * ((shift + column) * height + first + row),
        scale: 1,
      };
    });
  return {
    source: `by differences: ${why}`,
    stiffness: entries(0, n, 0),
    damping: entries(0, n, n),
    rows: entries(n, rows, 0),
    rates: entries(n + rows, turning, 0),
    biases: entries(n + rows + turning, biased, 0),
    gyroscopicOffset: 8 * n * height,
    couplings: () => undefined,
    evaluate(t, accelerations, multipliers) {
      const { kernels } = workspace;
      values(accelerations, multipliers, at);
      kernels.copyVector(positions + n, trial.q, state);
      for (let j = 0; j < n; j++) {
        checkLimits();
        const length = differenceStep(ratesAreVelocities ? places[j]! : 1);
        const column = table + 8 * j * height;
        displacement[j] = length;
        coordinates.displace(trial.q, step.address);
        displacement[j] = 0;
        system.at(t);
        values(accelerations, multipliers, column);
        finish(t, column, length);
        const value = numbers[j]!;
        numbers[j] = value + differenceStep(value);
        // The increment after rounding.
        const exact = numbers[j]! - value;
        system.at(t);
        values(accelerations, multipliers, column + 8 * n * height);
        finish(t, column + 8 * n * height, exact);
      }
    },
  };
}

/** out = Q + J^T lambda - M a at the trial state, the residual of the equations of motion. */
export function writeBalance(
  { workspace, dynamics, constraints, coordinates: { velocities: n } }: System,
  accelerations: Address,
  multipliers: Address,
  scratch: Address,
  out: Address,
): void {
  const { kernels } = workspace;
  constraints.jacobianTransposeTimes(multipliers, scratch);
  kernels.axpy(n, 1, scratch, dynamics.forces(), out);
  dynamics.massTimes(accelerations, scratch);
  kernels.axpy(n, -1, scratch, out, out);
}

/** out = sign (J a - gamma) at the trial state, the residual of the constraints on accelerations. */
export function writeRest(
  { workspace, constraints }: System,
  accelerations: Address,
  sign: 1 | -1,
  out: Address,
): void {
  const { kernels } = workspace;
  constraints.jacobianTimes(accelerations, out);
  kernels.axpy(constraints.rows, -1, constraints.gamma(), out, out);
  if (sign < 0) kernels.axpy(constraints.rows, -2, out, out, out);
}
