// Derivatives of the equations for methods that ask for them: compiled when they do.

import type { FunctionSpec, Output } from "../../describe/compiled/function-spec.js";
import { isConstant, type Node } from "../../describe/expressions/graph.js";
import type { DerivedEquations } from "../../describe/symbolic/derive.js";
import type { Address, Segment } from "../../ground/memory/arena.js";
import { EntryList } from "../../ground/sparse/entry-list.js";
import type { EquationDerivatives, MatrixEntry } from "../../seam/index.js";
import type { FormulaFunctions } from "./formula-module.js";
import { addressOf, type FormulaMemory } from "./formula-plan.js";
import type { FormulaQuantities } from "./quantities.js";

/**
 * Functions of one address, which they write to: `massRate` dM/dt v, `jacobianRate` dJ/dt, `potentialGradient` dV/dq,
 * `kineticGradient` d(v.M v / 2)/dq.
 */
export function motionFunctions(
  equations: DerivedEquations,
  memory: FormulaMemory,
): FunctionSpec[] {
  const { symbols, mass, jacobian, potential, q, v } = equations;
  const { calculus } = symbols;
  const { algebra } = calculus;
  const times = (rows: readonly (readonly Node[])[]) =>
    rows.map((row) =>
      row.reduce((sum, each, j) => algebra.sum(sum, algebra.product(each, v[j]!)), algebra.zero),
    );
  const momenta = times(mass);
  const twice = momenta.reduce(
    (sum, each, i) => algebra.sum(sum, algebra.product(each, v[i]!)),
    algebra.zero,
  );
  const slot = (index: number) => ({ offset: addressOf(equations, memory, index) });
  const written = (nodes: readonly Node[]): Output[] =>
    nodes.map((node, i) => ({ node, place: { parameter: 0, offset: 8 * i } }));
  const spec = (name: string, nodes: readonly Node[]): FunctionSpec => ({
    name,
    parameters: 1,
    outputs: written(nodes),
    slot,
  });
  return [
    spec("massRate", symbols.along(momenta)),
    spec("jacobianRate", symbols.along(jacobian.flat())),
    spec("potentialGradient", calculus.gradient(potential, q)),
    spec("kineticGradient", calculus.gradient(algebra.scaled(0.5, twice), q)),
  ];
}

/** Derivatives that implicit methods want, with the places of those that are not always zero. */
interface Pattern {
  readonly places: readonly (readonly [row: number, column: number])[];
  /** One list of nodes each matrix that has these places. */
  readonly nodes: readonly (readonly Node[])[];
}

/** The places where any of some matrices is not zero. */
function patternOf(matrices: readonly (readonly (readonly Node[])[])[]): Pattern {
  const places: [number, number][] = [];
  for (const [i, row] of (matrices[0] ?? []).entries()) {
    for (const j of row.keys()) {
      if (matrices.some((matrix) => !isConstant(matrix[i]![j]!, 0))) places.push([i, j]);
    }
  }
  return { places, nodes: matrices.map((matrix) => places.map(([i, j]) => matrix[i]![j]!)) };
}

/** d(phiDot)/dx, d(gamma - J a)/dx, dgamma/dv; then d(Q + J^T lambda - M a)/dx and dQ/dv. */
export function implicitPatterns(equations: DerivedEquations): { rows: Pattern; forces: Pattern } {
  const { symbols, mass, jacobian, phiDot, gamma, forces, q, v, a, lambda } = equations;
  const { calculus } = symbols;
  const { algebra } = calculus;
  const combined = (start: Node, terms: readonly (readonly [Node, Node])[]) =>
    terms.reduce((sum, [x, y]) => algebra.sum(sum, algebra.product(x, y)), start);
  const rest = gamma.map((each, i) =>
    algebra.difference(
      each,
      combined(
        algebra.zero,
        jacobian[i]!.map((entry, j) => [entry, a[j]!]),
      ),
    ),
  );
  const balance = forces.map((force, i) =>
    algebra.difference(
      combined(
        force,
        jacobian.map((row, k) => [row[i]!, lambda[k]!]),
      ),
      combined(
        algebra.zero,
        mass[i]!.map((entry, j) => [entry, a[j]!]),
      ),
    ),
  );
  return {
    rows: patternOf([
      calculus.jacobian(phiDot, q),
      calculus.jacobian(rest, q),
      calculus.jacobian(gamma, v),
    ]),
    forces: patternOf([calculus.jacobian(balance, q), calculus.jacobian(forces, v)]),
  };
}

/** Derivatives of a system by formulas, in memory that is reserved here. */
export function formulaDerivatives(system: FormulaQuantities): EquationDerivatives {
  const { workspace, memory, programs, velocities: n, rows: m } = system;
  const { rows, forces } = programs.patterns();
  const rowValues = workspace.reserve("derivatives of rows", 3 * rows.places.length);
  const forceValues = workspace.reserve("derivatives of forces", 2 * forces.places.length);
  const lists = [0, 1].map(
    (k) => new EntryList(workspace, k === 0 ? "stiffness" : "damping", forces.places.length),
  );
  const entries = (places: Pattern["places"], { address }: Segment): MatrixEntry[] =>
    places.map(([row, column], k) => ({ row, column, address: address + 8 * k, scale: 1 }));
  const forceEntries = entries(forces.places, forceValues);
  const dampingOffset = 8 * forces.places.length;
  let functions: FormulaFunctions | undefined;
  workspace.whenSealed((arena) => {
    functions = programs.derivativesIn(arena, memory, rowValues, forceValues);
    for (const list of lists) {
      list.clear();
      for (const entry of forceEntries) list.add(entry);
    }
  });
  return {
    rows: entries(rows.places, rowValues),
    rates: [],
    biasOffset: 8 * rows.places.length,
    gyroscopicOffset: 16 * rows.places.length,
    forces: forceEntries,
    dampingOffset,
    couplings: () => Math.ceil(n / 6) ** 2,
    addStiffness: (stride, x, out) => lists[0]!.timesRows(1, 0, stride, x, out),
    addDamping: (stride, x, out) => lists[1]!.timesRows(1, dampingOffset, stride, x, out),
    evaluate(accelerations, multipliers) {
      const { kernels } = workspace;
      const { address } = memory.motion;
      kernels.copyVector(n, accelerations, address);
      kernels.copyVector(m, multipliers, address + 8 * n);
      functions!.derivatives!();
    },
  };
}

/** The function that writes them. */
export function derivativeFunction(
  equations: DerivedEquations,
  memory: FormulaMemory,
  patterns: ReturnType<typeof implicitPatterns>,
  rowValues: Segment,
  forceValues: Segment,
): FunctionSpec {
  const at = ({ address }: Segment, nodes: readonly Node[]): Output[] =>
    nodes.map((node, k) => ({ node, place: { offset: (address as Address) + 8 * k } }));
  return {
    name: "derivatives",
    parameters: 0,
    outputs: [
      ...at(rowValues, patterns.rows.nodes.flat()),
      ...at(forceValues, patterns.forces.nodes.flat()),
    ],
    slot: (index) => ({ offset: addressOf(equations, memory, index) }),
  };
}
