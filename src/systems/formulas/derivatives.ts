// Derivatives of the equations, compiled when a method first uses them.

import type { Address, Segment } from "../../base/memory/arena.js";
import type { FunctionSpec, Output } from "../../formulas/compiled/function-spec.js";
import { isConstant, type Node } from "../../formulas/expressions/graph.js";
import type { DerivedEquations } from "../../formulas/symbolic/derive.js";
import { addressOf, type FormulaMemory } from "./formula-plan.js";

/**
 * Functions that write to one address: `massRate` dM/dt v, `jacobianRate` dJ/dt, `potentialGradient` dV/dq,
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

/** Derivatives for implicit methods, with the positions of their structural nonzeros. */
export interface Pattern {
  readonly places: readonly (readonly [row: number, column: number])[];
  /** One list of nodes for each matrix with this pattern. */
  readonly nodes: readonly (readonly Node[])[];
}

/** Union of the structural nonzeros of some matrices. */
function patternOf(matrices: readonly (readonly (readonly Node[])[])[]): Pattern {
  const places: [number, number][] = [];
  for (const [i, row] of (matrices[0] ?? []).entries()) {
    for (const j of row.keys()) {
      if (matrices.some((matrix) => !isConstant(matrix[i]![j]!, 0))) places.push([i, j]);
    }
  }
  return { places, nodes: matrices.map((matrix) => places.map(([i, j]) => matrix[i]![j]!)) };
}

/** Q + J^T lambda - M a, and gamma - J a: zero along a motion. */
export function residualNodes(equations: DerivedEquations): {
  readonly balance: readonly Node[];
  readonly rest: readonly Node[];
} {
  const { symbols, mass, jacobian, gamma, forces, a, lambda } = equations;
  const { algebra } = symbols.calculus;
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
  return { balance, rest };
}

/**
 * d(phiDot)/dx, d(gamma - J a)/dx, d(gamma - J a)/dv; then d(Q + J^T lambda - M a)/dx and /dv. J depends on velocities
 * if rows are not linear in them.
 */
export function implicitPatterns(equations: DerivedEquations): { rows: Pattern; forces: Pattern } {
  const { symbols, phiDot, q, v } = equations;
  const { calculus } = symbols;
  const { balance, rest } = residualNodes(equations);
  return {
    rows: patternOf([
      calculus.jacobian(phiDot, q),
      calculus.jacobian(rest, q),
      calculus.jacobian(rest, v),
    ]),
    forces: patternOf([calculus.jacobian(balance, q), calculus.jacobian(balance, v)]),
  };
}

/** Function that writes these derivatives. */
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
