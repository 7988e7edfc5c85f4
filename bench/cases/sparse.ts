import { type ConstraintGraph, checkStatus, planSparse, type SparsePlan } from "nodrift/kernels";
import { backwardError, multiply, transpose } from "../../test/support/matrix.js";
import { type Random, randomVector, symmetricMatrix } from "../../test/support/random.js";
import { type Piece, scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

/** A sparse system in memory, with values. */
export interface SparseProblem {
  readonly plan: SparsePlan;
  readonly memory: ReturnType<typeof sparseMemory>;
  /** J as a dense matrix (rows of S x coordinates), by columns. */
  readonly jacobian: Float64Array;
  /** S as a dense matrix. */
  readonly dense: Float64Array;
}

/** A chain: each constraint holds a body to the one before it, the first to the ground. */
export function chainGraph(links: number, rows = 3, bodySize = 6): ConstraintGraph {
  const constraints = Array.from({ length: links }, (_, i) => ({
    rows,
    bodies: i === 0 ? [0] : [i - 1, i],
  }));
  return { bodyCount: links, bodySize, constraints };
}

/** Bodies joined at random, with loops and blocks of 1 to 5 rows. */
export function randomGraph(random: Random, bodyCount: number): ConstraintGraph {
  const pick = (count: number) => Math.floor(((random() + 1) / 2) * count);
  const constraints = Array.from({ length: bodyCount }, (_, i) => {
    const other = pick(bodyCount);
    return { rows: 1 + pick(5), bodies: other === i ? [i] : [other, i] };
  });
  return { bodyCount, bodySize: 6, constraints };
}

export function sparseMemory(plan: SparsePlan) {
  const memory = scratch({
    table: Math.ceil(plan.table.length / 2),
    jacobian: plan.jacobianSlots,
    mass: plan.massSlots,
    weighted: plan.jacobianSlots,
    s: plan.blockSlots,
    l: plan.blockSlots,
    pivots: plan.rows,
    b: plan.rows,
    x: plan.rows,
    scratch: plan.scratchSlots,
  });
  integersOf(memory.table).set(plan.table);
  return memory;
}

function integersOf({ view }: Piece): Int32Array {
  return new Int32Array(view.buffer, view.byteOffset, 2 * view.length);
}

/** Fills a sparse system with random Jacobians and inverse masses, and creates its dense equivalent. */
export function sparseProblem(random: Random, graph: ConstraintGraph): SparseProblem {
  const plan = planSparse(graph);
  const memory = sparseMemory(plan);
  const { bodySize, bodyCount } = graph;
  const coordinates = bodySize * bodyCount;
  memory.jacobian.view.set(randomVector(random, plan.jacobianSlots));
  const masses = new Float64Array(coordinates * coordinates);
  for (let body = 0; body < bodyCount; body++) {
    const block = symmetricMatrix(random, bodySize, 16);
    memory.mass.view.set(block, body * bodySize * bodySize);
    for (let j = 0; j < bodySize; j++) {
      for (let i = 0; i < bodySize; i++) {
        masses[body * bodySize + i + (body * bodySize + j) * coordinates] = block[i + j * bodySize];
      }
    }
  }
  const jacobian = denseJacobian(graph, plan, memory.jacobian.view);
  const weighted = multiply(plan.rows, coordinates, coordinates, jacobian, masses);
  const turned = transpose(plan.rows, coordinates, jacobian);
  const dense = multiply(plan.rows, coordinates, plan.rows, weighted, turned);
  return { plan, memory, jacobian, dense };
}

function denseJacobian(
  graph: ConstraintGraph,
  plan: SparsePlan,
  blocks: Float64Array,
): Float64Array {
  const dense = new Float64Array(plan.rows * graph.bodySize * graph.bodyCount);
  let first = 0;
  graph.constraints.forEach(({ rows, bodies }, constraint) => {
    bodies.forEach((body, k) => {
      const slot = plan.jacobianSlotOf[constraint][k];
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < graph.bodySize; j++) {
          const column = body * graph.bodySize + j;
          dense[first + i + column * plan.rows] = blocks[slot + i * graph.bodySize + j];
        }
      }
    });
    first += rows;
  });
  return dense;
}

/** Assembles and factors; the status of the factorisation. */
export function assembleAndFactor(
  { memory }: Pick<SparseProblem, "memory">,
  tolerance: number,
): number {
  const { kernels, table, jacobian, mass, weighted, s, l, pivots } = memory;
  kernels.sparseAssemble(
    table.address,
    jacobian.address,
    mass.address,
    weighted.address,
    s.address,
  );
  return kernels.sparseFactor(table.address, tolerance, s.address, l.address, pivots.address);
}

/** Solves with the right-hand side in `b`; the status of the solve. */
export function solveSparse({ memory }: Pick<SparseProblem, "memory">): number {
  const { kernels, table, l, b, scratch: space, x } = memory;
  return kernels.sparseSolve(table.address, l.address, b.address, space.address, x.address);
}

export const sparseCases: readonly KernelCase[] = [
  {
    name: "sparse block Cholesky of J M^-1 J^T",
    kernels: ["sparseAssemble", "sparseFactor", "sparseSolve"],
    factorisation: true,
    run(random, n) {
      const problem = sparseProblem(random, randomGraph(random, n));
      const { memory, dense, plan } = problem;
      // Rows in excess of a body's six coordinates are dependent: b must then be in the range of S.
      memory.b.view.set(multiply(plan.rows, plan.rows, 1, dense, randomVector(random, plan.rows)));
      checkStatus("sparseFactor", assembleAndFactor(problem, 1e-11));
      checkStatus("sparseSolve", solveSparse(problem));
      return {
        error: backwardError(plan.rows, plan.rows, dense, memory.x.view, memory.b.view),
        results: [memory.s.view, memory.l.view, memory.pivots.view, memory.x.view],
      };
    },
  },
];
