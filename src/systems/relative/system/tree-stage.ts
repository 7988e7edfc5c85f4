import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import {
  NodeColumns,
  NodeDerivative,
  StageNode,
  TREE_SCRATCH,
  TreeDerivatives,
  TreeLink,
} from "../../../../assembly/layout-stiff.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import { failed } from "../../../ground/wasm/status.js";
import type { ShiftedSolver, StageEquations } from "../../../seam/index.js";
import {
  blocksOf,
  reserveBlocks,
  withoutDerivatives,
  writeBlocks,
} from "../../bodies/system/derivatives.js";
import { derivativeTable, PathMatrices } from "../plan/derivative-plan.js";
import type { RelativePlan } from "../plan/relative-plan.js";
import { BodyMotion } from "./body-motion.js";
import type { RelativeQuantities } from "./quantities.js";

/**
 * Multiplications of an elimination along the tree, for each node; a dense one of nodes in line takes the square of the
 * depth for each. Where these are equal, about 40 hinges in a chain, either may be taken.
 */
const WORK = 500;

/**
 * Stages of a deep tree of hinges, slides and screws by elimination along the tree (assembly/tree/derivatives/stage.ts).
 * Undefined where matrices along paths are as good, or forces connect more than neighbours.
 */
export function treeStages(
  system: RelativeQuantities,
  stiff: StiffMemory,
): StageEquations | undefined {
  const { plan } = system;
  if (!isDeep(plan) || !canEliminate(plan)) return undefined;
  const paths = new PathMatrices(plan.tree);
  return new TreeStages(system, stiff, paths, reserveBlocks(system.bodies));
}

/** Whether stages can be eliminated along the tree: no rows, no Euler parameters, and forces between neighbours. */
function canEliminate({ tree, rest }: RelativePlan): boolean {
  const isPlain = rest.rows === 0 && tree.positions === tree.velocities;
  if (!isPlain || withoutDerivatives(rest) !== undefined) return false;
  const paths = new PathMatrices(tree);
  return blocksOf(rest).every(({ row, column }) => {
    const [one, other] = [row, column].map((first) => paths.nodeOf(first / BODY_VELOCITIES));
    return one === other || paths.parent(one!) === other || paths.parent(other!) === one;
  });
}

/**
 * Multiplications for each equation of maximal coordinates in a factorisation of a stage, without and with constraints
 * on all velocities, and equations for each body: as in isSparseCheaper.
 */
const SPARSE = { free: 150, constrained: 700, equations: 24 } as const;
/** Work of a sparse elimination beside that of a dense one. */
const INDIRECT = 4;
/** Evaluations cost less along a tree: stages may cost as much more. */
const MORE = 1.5;

/** Why stages of a mechanism cost less in maximal coordinates, by counted multiplications; undefined where they do not. */
export function whyStagesAreCostly(plan: RelativePlan): string | undefined {
  const { tree, rest, whole } = plan;
  const bodies = whole.model.bodies.length;
  const freedom = Math.max(1, tree.velocities - rest.rows);
  const held = 1 - Math.min(1, freedom / (BODY_VELOCITIES * bodies));
  const each = SPARSE.free + held * (SPARSE.constrained - SPARSE.free);
  const dense = (freedom * freedom * freedom) / 3;
  const apart = Math.min(dense, each * SPARSE.equations * bodies);
  // From the leaves: for each coordinate the square of how many lie inwards.
  const squares = depthsOf(tree).reduce(
    (sum, depth, i) => sum + tree.nodes[i]!.velocityNames.length * depth * depth,
    0,
  );
  const along = Math.min(dense, INDIRECT * squares);
  if (along <= MORE * apart || canEliminate(plan)) return undefined;
  const rounded = (work: number) => Number(work.toPrecision(2));
  return (
    `a stage along so deep a tree takes about ${rounded(along)} multiplications, ` +
    `${rounded(apart)} in maximal coordinates`
  );
}

function isDeep({ tree }: RelativePlan): boolean {
  const squares = depthsOf(tree).reduce((sum, depth) => sum + depth * depth, 0);
  return squares > WORK * tree.nodes.length;
}

/** Coordinates from the ground to each node, its own included. */
function depthsOf({ nodes }: RelativePlan["tree"]): number[] {
  const depths: number[] = [];
  for (const { parent, velocityNames } of nodes) {
    depths.push((depths[parent] ?? 0) + velocityNames.length);
  }
  return depths;
}

class TreeStages implements StageEquations {
  readonly #system: RelativeQuantities;
  readonly #stiff: StiffMemory;
  readonly #blocks: ReturnType<typeof reserveBlocks>;
  readonly #motion: BodyMotion;
  readonly #table: Address;
  readonly #links: Address;

  constructor(
    system: RelativeQuantities,
    stiff: StiffMemory,
    paths: PathMatrices,
    blocks: ReturnType<typeof reserveBlocks>,
  ) {
    const { workspace } = system;
    this.#system = system;
    this.#stiff = stiff;
    this.#blocks = blocks;
    this.#motion = new BodyMotion(system);
    const reserve = (name: string, each: number, count: number) =>
      workspace.vector(`stages of the tree: ${name}`, each * count);
    this.#links = reserve("links", TreeLink.LENGTH, paths.count);
    const head = [
      [TreeDerivatives.TREE, system.table],
      [TreeDerivatives.COLUMNS, reserve("columns", NodeColumns.LENGTH, system.velocities)],
      [TreeDerivatives.RECORDS, reserve("nodes", NodeDerivative.LENGTH, paths.count)],
      [TreeDerivatives.SCRATCH, reserve("scratch", TREE_SCRATCH, 1)],
    ] as const;
    const table = derivativeTable(head, paths, blocks.blocks);
    const segment = workspace.reserve("table of stages", Math.ceil(table.length / 2));
    this.#table = segment.address;
    workspace.whenSealed((arena) => arena.integers(segment).set(table));
  }

  evaluate(accelerations: Address): void {
    const system = this.#system;
    const { kernels } = this.#stiff;
    const motion = this.#motion;
    motion.find(accelerations);
    kernels.treeStageColumns(this.#table);
    motion.addBias();
    // No rows: no multipliers are read.
    writeBlocks(system.bodies, this.#stiff, this.#blocks, accelerations);
    motion.balance(accelerations);
    kernels.treeStageLinks(
      this.#table,
      motion.loads,
      motion.rest,
      this.#blocks.stiffness,
      this.#blocks.damping,
      BODY_VELOCITIES,
      this.#links,
    );
  }

  shifted(complex: boolean): ShiftedSolver {
    const { workspace, plan } = this.#system;
    const count = plan.tree.nodes.length + 1;
    const stages = workspace.vector("elimination of a stage", StageNode.LENGTH * count);
    const memory = workspace.reserve("alpha of a stage", 2);
    let alpha = new Float64Array(2);
    workspace.whenSealed((arena) => {
      alpha = arena.floats(memory);
    });
    const stiff = this.#stiff;
    const [table, links] = [this.#table, this.#links];
    return {
      factor(real, imaginary) {
        alpha[0] = real;
        alpha[1] = complex ? imaginary : 0;
        return !failed(stiff.kernels.treeStageFactor(table, links, real, alpha[1], stages));
      },
      solve(b, x) {
        const [real, imaginary] = alpha as unknown as [number, number];
        stiff.kernels.treeStageSolve(table, links, real, imaginary, complex ? 1 : 0, stages, b, x);
      },
    };
  }
}
