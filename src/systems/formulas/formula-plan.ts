// Memory layout of a system by formulas, and the functions that write to it.

import type { Segment } from "../../base/memory/arena.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { byAge, type FunctionSpec, type Output } from "../../formulas/compiled/function-spec.js";
import { isConstant, type Node } from "../../formulas/expressions/graph.js";
import type { DerivedEquations } from "../../formulas/symbolic/derive.js";
import { factorSlots, isWrittenOut, type SolvePlaces, type SolveShape } from "./factor-layout.js";
import { solveFunctions } from "./solve-graph.js";

/**
 * Segments of a system's memory, reserved first and always in the same order: all systems of the same formulas have
 * the same addresses.
 */
export interface FormulaMemory {
  readonly state: Segment;
  readonly trial: Segment;
  /** t, then the parameters. */
  readonly numbers: Segment;
  readonly mass: Segment;
  readonly forces: Segment;
  readonly phi: Segment;
  readonly jacobian: Segment;
  readonly phiDot: Segment;
  readonly gamma: Segment;
  /** Potential energy, power. */
  readonly energies: Segment;
  /** Accelerations and multipliers that derivatives are taken for. */
  readonly motion: Segment;
  /** A vector, or a matrix as large as J, written by some function. */
  readonly derived: Segment;
  readonly factor: Segment;
  /** Subexpressions that depend on parameters only. */
  readonly constants: Segment;
  readonly scratch: Segment;
}

/** Slots for values that long functions pass from one of their parts to the next. */
const SCRATCH_SLOTS = 4096;

export function reserveMemory(workspace: Workspace, equations: DerivedEquations): FormulaMemory {
  const n = equations.q.length;
  const m = equations.jacobian.length;
  const size = isWrittenOut({ n, m }) ? factorSlots(n, m) : 0;
  const { parameterNames, massIsDiagonal } = equations;
  return {
    state: workspace.reserve("state and work", 2 * n + 1),
    trial: workspace.reserve("trial state and work", 2 * n + 1),
    numbers: workspace.reserve("time and parameters", 1 + parameterNames.length),
    mass: workspace.reserve("mass", massIsDiagonal ? n : n * n),
    forces: workspace.reserve("forces", n),
    phi: workspace.reserve("phi", m),
    jacobian: workspace.reserve("jacobian", m * n),
    phiDot: workspace.reserve("phi dot", m),
    gamma: workspace.reserve("gamma", m),
    energies: workspace.reserve("energies", 2),
    motion: workspace.reserve("accelerations and multipliers of derivatives", n + m),
    derived: workspace.reserve("derived", Math.max(m * n, n)),
    factor: workspace.reserve("factor", size),
    constants: workspace.reserve("constant parts of formulas", constantParts(equations).length),
    scratch: workspace.reserve("parts of formulas", SCRATCH_SLOTS),
  };
}

/** Returns the address of a graph slot: t, parameters, q, v, a, lambda. */
export function addressOf(
  equations: DerivedEquations,
  memory: FormulaMemory,
  slot: number,
): number {
  const parameters = 1 + equations.parameterNames.length;
  if (slot < parameters) return memory.numbers.address + 8 * slot;
  const variable = slot - parameters;
  const n = equations.q.length;
  return variable < 2 * n
    ? memory.trial.address + 8 * variable
    : memory.motion.address + 8 * (variable - 2 * n);
}

/** Outputs of nodes at consecutive addresses. */
export function outputsAt(segment: Segment, nodes: readonly Node[]): Output[] {
  return nodes.map((node, i) => ({ node, place: { offset: segment.address + 8 * i } }));
}

/** Nodes of the mass matrix in the order of memory. */
function massNodes({ mass, massIsDiagonal }: DerivedEquations): Node[] {
  // Column-major; M is symmetric.
  return massIsDiagonal ? mass.map((row, i) => row[i]!) : mass.flat();
}

/** Phi has no nonholonomic rows: zeros take their slots. */
function phiNodes({ phi, phiDot, symbols }: DerivedEquations): Node[] {
  const { zero } = symbols.calculus.algebra;
  return phiDot.map((_, i) => phi[i] ?? zero);
}

/**
 * Functions of a system: `setup` once for each set of parameters, `evaluate` for all quantities of a state, `place`
 * for those of the constraints, `energy`; then the functions that solve.
 */
export function functionsOf(equations: DerivedEquations, memory: FormulaMemory): FunctionSpec[] {
  const { symbols, q, v, jacobian, phiDot, gamma, forces, potential, power } = equations;
  const slot = (index: number) => ({ offset: addressOf(equations, memory, index) });
  const spec = (name: string, outputs: readonly Output[]): FunctionSpec => ({
    name,
    parameters: 0,
    outputs,
    slot,
  });
  const rows = [
    ...outputsAt(memory.phi, phiNodes(equations)),
    ...outputsAt(memory.jacobian, jacobian.flat()),
    ...outputsAt(memory.phiDot, phiDot),
  ];
  const all = [
    ...outputsAt(memory.mass, massNodes(equations)),
    ...outputsAt(memory.forces, forces),
    ...rows,
    ...outputsAt(memory.gamma, gamma),
  ];
  const varying = variesWith(
    all.map(({ node }) => node),
    [symbols.time, ...q, ...v],
  );
  // Targets that functions add to are written first for every state.
  const added = new Set(
    equations.forceFunctions.map(({ coordinate }) => memory.forces.address + 8 * coordinate),
  );
  const varies = ({ node, place }: Output) => varying.has(node) || added.has(place.offset);
  const constants = outputsAt(memory.constants, constantParts(equations));
  const given = new Map(constants.map(({ node, place }) => [node, place.offset]));
  const solves = isWrittenOut({ n: q.length, m: jacobian.length })
    ? solveFunctions(shapeOf(equations), solvePlaces(equations, memory))
    : [];
  return [
    spec("setup", [...constants, ...all.filter((output) => !varies(output))]),
    { ...spec("evaluate", all.filter(varies)), given },
    { ...spec("place", rows.filter(varies)), given },
    spec("energy", outputsAt(memory.energies, [potential, power])),
    ...solves,
  ];
}

/** Phi alone, for states at which nothing else is needed. */
export function phiFunction(equations: DerivedEquations, memory: FormulaMemory): FunctionSpec {
  const { symbols, q } = equations;
  const outputs = outputsAt(memory.phi, phiNodes(equations));
  const varying = variesWith(
    outputs.map(({ node }) => node),
    [symbols.time, ...q],
  );
  const constants = outputsAt(memory.constants, constantParts(equations));
  return {
    name: "phi",
    parameters: 0,
    outputs: outputs.filter(({ node }) => varying.has(node)),
    slot: (index) => ({ offset: addressOf(equations, memory, index) }),
    given: new Map(constants.map(({ node, place }) => [node, place.offset])),
  };
}

/** Addresses of the written-out solves. */
export function solvePlaces({ q }: DerivedEquations, memory: FormulaMemory): SolvePlaces {
  return {
    mass: memory.mass.address,
    jacobian: memory.jacobian.address,
    forces: memory.forces.address,
    velocities: memory.trial.address + 8 * q.length,
    factor: memory.factor.address,
  };
}

const constantsOf = new WeakMap<DerivedEquations, readonly Node[]>();

/**
 * Largest subexpressions that are evaluated for every state and depend on parameters only. Found once for all systems.
 */
function constantParts(equations: DerivedEquations): readonly Node[] {
  const known = constantsOf.get(equations) ?? findConstantParts(equations);
  constantsOf.set(equations, known);
  return known;
}

function findConstantParts(equations: DerivedEquations): Node[] {
  const { symbols, q, v, forces, phi, jacobian, phiDot, gamma } = equations;
  const roots = [
    ...massNodes(equations),
    ...forces,
    ...phi,
    ...jacobian.flat(),
    ...phiDot,
    ...gamma,
  ];
  const varying = variesWith(roots, [symbols.time, ...q, ...v]);
  const found = new Set<Node>();
  for (const { operands } of varying) {
    for (const operand of operands) {
      if (!varying.has(operand) && operand.operands.length > 0) found.add(operand);
    }
  }
  return [...found].sort((a, b) => a.id - b.id);
}

export function shapeOf(equations: DerivedEquations): SolveShape {
  const value = (node: Node) => (isConstant(node) ? node.number : undefined);
  const { massIsDiagonal, massIsConstant, jacobian, q } = equations;
  return {
    n: q.length,
    m: jacobian.length,
    mass: massNodes(equations).map(value),
    massIsDiagonal,
    massIsConstant,
    jacobian: jacobian.flat().map(value),
  };
}

/** Returns the nodes that depend on slots which change from state to state. */
function variesWith(nodes: readonly Node[], slots: readonly Node[]): Set<Node> {
  const found = new Set(slots);
  const seen = new Set(nodes);
  for (const { operands } of seen) for (const operand of operands) seen.add(operand);
  for (const node of byAge(seen)) {
    if (node.operands.some((operand) => found.has(operand))) found.add(node);
  }
  return found;
}
