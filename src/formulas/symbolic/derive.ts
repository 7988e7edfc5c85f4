// Equations of motion from energies, exactly. With the Lagrangian L(q, v, t), momenta p = dL/dv,
// Rayleigh's function D and other forces F:
//
//   d/dt dL/dv - dL/dq = F - dD/dv + J^T lambda
//   M = dp/dv,   M a = Q + J^T lambda,   Q = dL/dq - (dp/dq v + dp/dt) + F - dD/dv
//
// The bracket is one derivative along the motion with v fixed, not n^2 of them. The same holds for
// holonomic rows Phi: J = dPhi/dq, Phi' = J v + dPhi/dt, gamma = -(Phi' along the motion with v fixed).
// Rows Pi on velocities have J = dPi/dv, gamma = -(Pi along the motion with v fixed). (Goldstein, Classical
// Mechanics, chapters 1 and 2; Udwadia and Kalaba 1992.)

import { argument, callback } from "../../base/checking/index.js";
import type { Node } from "../expressions/graph.js";
import { isConstant } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import type { ForceFunction, FormulaDescription } from "./description.js";
import { wrong } from "./formula-reader.js";
import {
  entriesOf,
  type NamedParts,
  readNames,
  refuseSlots,
  requireNew,
  rowsOf,
  startOf,
  variableNames,
} from "./read-names.js";

/** Largest number of coordinates of a system, whose matrices are dense. */
const MAX_COORDINATES = 500;

/** Derived equations of a system. */
export interface DerivedEquations extends NamedParts {
  readonly name: string;
  readonly coordinateNames: readonly string[];
  readonly holonomicNames: readonly string[];
  readonly nonholonomicNames: readonly string[];
  readonly q: readonly Node[];
  readonly v: readonly Node[];
  /** Slots of the accelerations and multipliers, for derivatives of the equations. */
  readonly a: readonly Node[];
  readonly lambda: readonly Node[];
  readonly mass: readonly (readonly Node[])[];
  readonly massIsDiagonal: boolean;
  /** Whether the mass depends on parameters only. */
  readonly massIsConstant: boolean;
  readonly forces: readonly Node[];
  /** Forces given by functions, added to those given by formulas. */
  readonly forceFunctions: readonly {
    readonly coordinate: number;
    readonly force: ForceFunction;
  }[];
  /** Residuals of holonomic rows. The other lists contain all rows, holonomic ones first. */
  readonly phi: readonly Node[];
  readonly jacobian: readonly (readonly Node[])[];
  readonly phiDot: readonly Node[];
  readonly gamma: readonly Node[];
  readonly hasPotential: boolean;
  readonly potential: Node;
  /** Power of forces without a potential, and of the explicit time dependence of the energies. */
  readonly power: Node;
  readonly isConservative: boolean;
  readonly start: { readonly q: readonly number[]; readonly v: readonly number[] } | undefined;
}

/** Reads a description and derives its equations; inactive rows are omitted. */
export function deriveEquations(
  name: string,
  given: FormulaDescription,
  acting?: ReadonlySet<string>,
): DerivedEquations {
  const coordinateNames = variableNames(name, "coordinates", given.coordinates, MAX_COORDINATES);
  const q: Node[] = [];
  const v: Node[] = [];
  const parts = readNames(name, given, (symbols) => {
    for (const each of coordinateNames) requireNew(name, symbols, each);
    for (const _ of coordinateNames) q.push(symbols.slot());
    for (const _ of coordinateNames) v.push(symbols.slot());
    for (const [i, each] of coordinateNames.entries())
      symbols.define("coordinate", each, q[i]!, v[i]!);
  });
  const { symbols } = parts;
  const a = q.map(() => symbols.slot());
  const motion = { name, given, parts, coordinateNames, q, v };
  const energies = energiesOf(motion);
  const { forces, forceFunctions } = appliedForces(motion);
  const inertia = inertiaOf(motion, energies);
  const rows = rowsOfSystem(motion, acting);
  const lambda = rows.jacobian.map(() => symbols.slot());
  const { algebra } = symbols.calculus;
  const powers = forces.map((force, i) => algebra.product(force, v[i]!));
  const power = powers.reduce((sum, each) => algebra.sum(sum, each), algebra.zero);
  const isTimed = symbols.dependsOn([energies.lagrangian, ...rows.phi], [symbols.time]).length > 0;
  return {
    ...parts,
    name,
    coordinateNames,
    q,
    v,
    a,
    lambda,
    ...rows,
    mass: inertia.mass,
    massIsDiagonal: inertia.mass.every((row, i) =>
      row.every((each, j) => i === j || isConstant(each, 0)),
    ),
    massIsConstant: symbols.dependsOn(inertia.mass.flat(), [symbols.time, ...q, ...v]).length === 0,
    forces: inertia.forces.map((force, i) => algebra.sum(force, forces[i]!)),
    hasPotential: given.lagrangian !== undefined || given.potential !== undefined,
    potential: energies.potential,
    power: algebra.difference(
      power,
      symbols.calculus.along([energies.lagrangian], new Map([[symbols.time, algebra.one]]))[0]!,
    ),
    forceFunctions,
    isConservative: isConstant(power, 0) && !isTimed && forceFunctions.length === 0,
    start: startOf(name, given.start, coordinateNames, true),
  };
}

interface MotionSymbols {
  readonly name: string;
  readonly given: FormulaDescription;
  readonly parts: NamedParts;
  readonly coordinateNames: readonly string[];
  readonly q: readonly Node[];
  readonly v: readonly Node[];
}

interface Energies {
  readonly lagrangian: Node;
  /** Potential: minus the Lagrangian at zero velocity. */
  readonly potential: Node;
  /** Given mass matrix, if any. */
  readonly mass: readonly (readonly Node[])[] | undefined;
}

function energiesOf(motion: MotionSymbols): Energies {
  const { name, given, parts, coordinateNames, v } = motion;
  const { reader, symbols } = parts;
  const { algebra } = symbols.calculus;
  const { lagrangian, kinetic, mass, potential } = given;
  const ways = { lagrangian, kinetic, mass };
  const said = Object.entries(ways).flatMap(([key, way]) => (way === undefined ? [] : [key]));
  if (said.length !== 1) {
    const what =
      said.length === 0
        ? "lagrangian, kinetic or mass is missing"
        : `use only one of ${said.join(" and ")}`;
    throw wrong(name, `${what}: the equations of motion follow from it`);
  }
  if (lagrangian !== undefined && potential !== undefined) {
    throw wrong(name, "the lagrangian already contains the potential: use only one of them");
  }
  const height = potential === undefined ? algebra.zero : reader.read("potential", potential);
  const rates = coordinateNames.map((each) => `${each}'`);
  refuseSlots(
    name,
    "potential",
    symbols,
    height,
    v,
    rates,
    "the potential must depend on positions only",
  );
  if (mass !== undefined) {
    const matrix = massOf(motion);
    const energy = algebra.scaled(0.5, dot(motion, timesVelocity(motion, matrix), v));
    return { lagrangian: algebra.difference(energy, height), potential: height, mass: matrix };
  }
  const whole =
    lagrangian === undefined
      ? algebra.difference(reader.read("kinetic", kinetic), height)
      : reader.read("lagrangian", lagrangian);
  const still = symbols.substituted(whole, new Map(v.map((slot) => [slot, algebra.zero])));
  return { lagrangian: whole, potential: algebra.negative(still), mass: undefined };
}

function massOf({ name, given, parts, coordinateNames, q, v }: MotionSymbols): Node[][] {
  const { reader, symbols } = parts;
  const { zero } = symbols.calculus.algebra;
  const rows = given.mass as readonly unknown[];
  const n = q.length;
  if (!Array.isArray(rows) || rows.length !== n) {
    throw wrong(name, `mass must be a list of ${n} formulas, or of ${n} rows of ${n}`);
  }
  const read = (i: number, j: number, formula: unknown) => {
    const where = `mass of "${coordinateNames[i]}"${i === j ? "" : `, "${coordinateNames[j]}"`}`;
    const node = reader.read(where, formula);
    refuseSlots(
      name,
      where,
      symbols,
      node,
      v,
      coordinateNames,
      "masses must not depend on velocities",
    );
    return node;
  };
  const isDiagonal = rows.every((row) => !Array.isArray(row));
  if (isDiagonal)
    return rows.map((formula, i) => q.map((_, j) => (i === j ? read(i, i, formula) : zero)));
  const full = rows.map((row, i) => {
    if (!Array.isArray(row) || row.length !== n)
      throw wrong(name, `row ${i + 1} of mass must have ${n} formulas`);
    return row.map((formula, j) => read(i, j, formula));
  });
  for (const [i, row] of full.entries()) {
    for (const [j, each] of row.entries()) {
      if (each !== full[j]![i]) {
        throw wrong(
          name,
          `mass is not symmetric between "${coordinateNames[i]}" and "${coordinateNames[j]}"`,
        );
      }
    }
  }
  return full;
}

function timesVelocity({ parts, v }: MotionSymbols, mass: readonly (readonly Node[])[]): Node[] {
  const { algebra } = parts.symbols.calculus;
  return mass.map((row) =>
    row.reduce((sum, each, j) => algebra.sum(sum, algebra.product(each, v[j]!)), algebra.zero),
  );
}

function dot({ parts }: MotionSymbols, x: readonly Node[], y: readonly Node[]): Node {
  const { algebra } = parts.symbols.calculus;
  return x.reduce((sum, each, i) => algebra.sum(sum, algebra.product(each, y[i]!)), algebra.zero);
}

/** Computes M, and Q without applied forces. */
function inertiaOf(
  motion: MotionSymbols,
  { lagrangian, mass }: Energies,
): { mass: readonly (readonly Node[])[]; forces: Node[] } {
  const { name, parts, coordinateNames, q, v } = motion;
  const { symbols } = parts;
  const { calculus } = symbols;
  const { algebra } = calculus;
  const gradient = calculus.gradient(lagrangian, [...q, ...v]);
  const momenta = mass ? timesVelocity(motion, mass) : gradient.slice(q.length);
  const matrix = mass ?? symmetric(calculus.jacobian(momenta, v));
  const isQuadratic = symbols.changesWith(matrix.flat(), v).length === 0;
  for (const [i, row] of matrix.entries()) {
    const coordinate = coordinateNames[i];
    if (!isQuadratic && symbols.changesWith(row, v).length > 0) {
      const rule = "momenta must be linear in the velocities";
      throw wrong(name, `the energy is not quadratic in ${coordinate}': ${rule}`);
    }
    if (isConstant(row[i]!, 0)) {
      throw wrong(
        name,
        `"${coordinate}" has no mass: the energy does not contain ${coordinate}'^2`,
      );
    }
  }
  const turning = symbols.along(momenta);
  return { mass: matrix, forces: q.map((_, i) => algebra.difference(gradient[i]!, turning[i]!)) };
}

/** Mirrors one triangle of a matrix; the other one differs only in the order of sums. */
function symmetric(rows: readonly (readonly Node[])[]): Node[][] {
  return rows.map((row, i) => row.map((each, j) => (j > i ? rows[j]![i]! : each)));
}

/** Computes F - dD/dv and collects forces given by functions. */
function appliedForces(
  motion: MotionSymbols,
): Pick<DerivedEquations, "forceFunctions"> & { readonly forces: readonly Node[] } {
  const { name, given, parts, coordinateNames, v } = motion;
  const { reader, symbols } = parts;
  const { algebra } = symbols.calculus;
  const forces = coordinateNames.map(() => algebra.zero);
  const forceFunctions: { coordinate: number; force: ForceFunction }[] = [];
  const record = given.forces ?? {};
  for (const entry of entriesOf(name, "forces", record, coordinateNames)) {
    const coordinate = coordinateNames.indexOf(entry.name);
    if (typeof entry.formula === "function") {
      const force = argument(name, "DESCRIPTION", entry.where, entry.formula, callback());
      forceFunctions.push({ coordinate, force: force as ForceFunction });
    } else forces[coordinate] = reader.read(entry.where, entry.formula, entry.index);
  }
  if (given.dissipation === undefined) return { forces, forceFunctions };
  const lost = symbols.calculus.gradient(reader.read("dissipation", given.dissipation), v);
  const remaining = forces.map((force, i) => algebra.difference(force, lost[i]!));
  return { forces: remaining, forceFunctions };
}

type ConstraintFormulas = Pick<
  DerivedEquations,
  "holonomicNames" | "nonholonomicNames" | "phi" | "jacobian" | "phiDot" | "gamma"
>;

function rowsOfSystem(
  { name, given, parts, coordinateNames, q, v }: MotionSymbols,
  acting: ReadonlySet<string> | undefined,
): ConstraintFormulas {
  const { reader, symbols } = parts;
  const { calculus } = symbols;
  const { algebra } = calculus;
  const rates = coordinateNames.map((each) => `${each}'`);
  const read = (field: "holonomic" | "nonholonomic") =>
    [...rowsOf(name, field, given[field] ?? {})].filter((row) => acting?.has(row.name) ?? true);
  const [positions, velocities] = [read("holonomic"), read("nonholonomic")];
  const names = [...positions, ...velocities].map((row) => row.name);
  const twice = names.find((each, i) => names.indexOf(each) !== i);
  if (twice !== undefined) throw wrong(name, `constraints has the name "${twice}" twice`);
  const phi = positions.map(({ where, formula, index }) => {
    const node = reader.read(where, formula, index);
    refuseSlots(name, where, symbols, node, v, rates, "use nonholonomic for rows on velocities");
    requireDependence(name, where, symbols.dependsOn([node], q), "coordinates");
    return node;
  });
  const pi = velocities.map(({ where, formula, index }) => {
    const node = reader.read(where, formula, index);
    requireDependence(name, where, symbols.dependsOn([node], v), "velocities");
    return node;
  });
  const byPosition = calculus.jacobian(phi, q);
  const byTime = calculus.along(phi, new Map([[symbols.time, algebra.one]]));
  const phiDot = byPosition.map((row, i) =>
    row.reduce((sum, each, j) => algebra.sum(sum, algebra.product(each, v[j]!)), byTime[i]!),
  );
  const all = [...phiDot, ...pi];
  return {
    holonomicNames: positions.map((row) => row.name),
    nonholonomicNames: velocities.map((row) => row.name),
    phi,
    jacobian: [...byPosition, ...calculus.jacobian(pi, v)],
    phiDot: all,
    gamma: symbols.along(all).map((each) => algebra.negative(each)),
  };
}

function requireDependence(
  system: string,
  where: string,
  found: readonly Node[],
  what: string,
): void {
  if (found.length === 0)
    throw wrong(system, `${where} contains no ${what}: it constrains nothing`);
}

/** Whether a node is the constant zero. */
export function isZero(node: Node): boolean {
  return node.operation === Operation.Constant && node.number === 0;
}
