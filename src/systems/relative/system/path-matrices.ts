import { Want } from "../../../../assembly/layout-bodies.js";
import {
  NodeColumns,
  NodeDerivative,
  TREE_SCRATCH,
  TreeDerivatives,
} from "../../../../assembly/layout-stiff.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import { type BlockMatrices, reserveBlocks } from "../../bodies/system/derivatives.js";
import {
  derivativeTable,
  ForcePlaces,
  PathMatrices,
  type PlannedMatrix,
  type PlannedRows,
  planRows,
} from "../plan/derivative-plan.js";
import type { RelativeQuantities } from "./quantities.js";

/** Numbers of M beyond which these matrices would fill the memory: some 1400 freedoms in line. */
const MOST = 1e6;

/** Refuses trees whose matrices along paths are too large. */
function requireShallow({ plan, bodies }: RelativeQuantities, paths: PathMatrices): void {
  const inwards = [0];
  let slots = 0;
  for (let node = 1; node < paths.count; node++) {
    inwards.push(inwards[paths.parent(node)]! + paths.width(node));
    slots += paths.width(node) * inwards[node]!;
  }
  if (slots <= MOST) return;
  throw new NodriftError(
    "METHOD",
    `${bodies.name}: the mass matrix of ${plan.tree.velocities} joint coordinates in so deep a tree has ${slots} ` +
      'numbers, too many for implicit methods: compile with coordinates: "maximal"',
  );
}

/** M and J of a tree in memory, and what derivatives need besides. */
export class TreeMatrices {
  readonly system: RelativeQuantities;
  readonly stiff: StiffMemory;
  /** The table of kernels: TreeDerivatives. */
  readonly table: Address;
  readonly massPlan: PlannedMatrix;
  readonly rowPlan: PlannedRows;
  readonly forcePlan: ForcePlaces;
  readonly mass: Address;
  readonly jacobian: Address;
  /** Derivatives of forces by bodies. */
  readonly blocks: BlockMatrices;
  #axesAt = -1;
  #massAt = -1;
  #rowsAt = -1;

  constructor(system: RelativeQuantities, stiff: StiffMemory) {
    const { workspace, plan } = system;
    this.system = system;
    this.stiff = stiff;
    const paths = new PathMatrices(plan.tree);
    requireShallow(system, paths);
    this.massPlan = paths.mass();
    this.rowPlan = planRows(plan, paths);
    this.forcePlan = new ForcePlaces(paths);
    this.blocks = reserveBlocks(system.bodies);
    this.mass = workspace.vector("mass matrix", this.massPlan.slots);
    this.jacobian = workspace.vector("Jacobian of the tree", this.rowPlan.slots);
    const nodes = plan.tree.nodes.length + 1;
    const head = [
      [TreeDerivatives.TREE, system.table],
      [
        TreeDerivatives.COLUMNS,
        workspace.vector("columns", NodeColumns.LENGTH * system.velocities),
      ],
      [
        TreeDerivatives.RECORDS,
        workspace.vector("derivatives of nodes", NodeDerivative.LENGTH * nodes),
      ],
      [TreeDerivatives.SCRATCH, workspace.vector("scratch of derivatives", TREE_SCRATCH)],
    ] as const;
    const table = derivativeTable(head, paths, this.blocks.blocks, this.forcePlan, this.rowPlan);
    const segment = workspace.reserve("table of derivatives", Math.ceil(table.length / 2));
    this.table = segment.address;
    workspace.whenSealed((arena) => arena.integers(segment).set(table));
  }

  /** Brings M to the trial state. */
  updateMass(): void {
    const { system } = this;
    if (this.#massAt === system.generation) return;
    this.#updateAxes();
    this.stiff.kernels.treeMass(this.table, this.mass);
    this.#massAt = system.generation;
  }

  /** Brings J to the trial state. */
  updateJacobian(): void {
    const { system } = this;
    if (this.#rowsAt === system.generation || system.rows === 0) return;
    this.#updateAxes();
    system.bodies.require(Want.PHI | Want.JACOBIAN);
    this.stiff.kernels.treeJacobian(this.table, this.jacobian);
    this.#rowsAt = system.generation;
  }

  #updateAxes(): void {
    const { system } = this;
    if (this.#axesAt === system.generation) return;
    system.requirePoses();
    this.stiff.kernels.treeAxes(this.table);
    this.#axesAt = system.generation;
  }
}
