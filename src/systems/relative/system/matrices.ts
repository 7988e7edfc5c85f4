import { BODY_VELOCITIES, Want } from "../../../../assembly/layout-bodies.js";
import {
  ForceBlock,
  NodeColumns,
  NodeDerivative,
  PathSource,
  StageNode,
  TREE_SCRATCH,
  TreeDerivatives,
  TreeLink,
} from "../../../../assembly/layout-stiff.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import type { StiffMemory } from "../../../base/memory/stiff-memory.js";
import { record } from "../../../base/sparse/symbolic.js";
import { failed } from "../../../base/wasm/status.js";
import type {
  EquationDerivatives,
  Matrices,
  MatrixEntry,
  ShiftedSolver,
  SparseEquations,
  StageEquations,
} from "../../../interfaces/index.js";
import { couplesSensors } from "../../../model/kinds.js";
import type { PlannedBlock } from "../../bodies/plan/table-builder.js";
import {
  type BlockMatrices,
  blocksOf,
  type DerivativeBlock,
  reserveBlocks,
  withoutDerivatives,
  writeBlocks,
} from "../../bodies/system/derivatives.js";
import { jacobianOf, nearbyTurn, turnEntries } from "../../bodies/system/matrix-entries.js";
import type { RelativePlan } from "../plan/relative-plan.js";
import type { PlannedNode, TreePlan } from "../plan/tree-plan.js";
import { type RelativeQuantities, TreeMotion } from "./quantities.js";

// Layout of a tree's matrices, and the lists that its kernels traverse (assembly/tree/derivatives).

/** A matrix element, and its slot. */
interface PlannedEntry {
  readonly row: number;
  readonly column: number;
  readonly slot: number;
}

/** A matrix with planned slots. */
interface PlannedMatrix {
  readonly entries: readonly PlannedEntry[];
  readonly slots: number;
}

/** Matrices of a tree. Nodes are numbered from 1, as in the kernels. */
class PathMatrices {
  readonly tree: TreePlan;
  readonly #widths: readonly number[];
  readonly #parents: readonly number[];

  constructor(tree: TreePlan) {
    this.tree = tree;
    this.#widths = [0, ...tree.nodes.map(({ velocityNames }) => velocityNames.length)];
    this.#parents = [0, ...tree.nodes.map(({ parent }) => parent + 1)];
  }

  /** Nodes on the path from one node to another, exclusive: children first. */
  path(from: number, end = 0): number[] {
    const nodes: number[] = [];
    for (let node = from; node !== end; node = this.#parents[node]!) nodes.push(node);
    return nodes;
  }

  /** The parent of a node; 0 for the ground. */
  parent(node: number): number {
    return this.#parents[node]!;
  }

  /** The node of a body. */
  nodeOf(body: number): number {
    return this.tree.nodeOf[body]! + 1;
  }

  /** The last common node of the paths from the ground to both. */
  meeting(one: number, other: number): number {
    let [first, second] = [one, other];
    // Parents have lower indices.
    while (first !== second) {
      if (first > second) first = this.#parents[first]!;
      else second = this.#parents[second]!;
    }
    return first;
  }

  width(node: number): number {
    return this.#widths[node]!;
  }

  /** M: treeMass writes only the lower triangle. */
  mass(): PlannedMatrix {
    const entries: PlannedEntry[] = [];
    let slots = 0;
    for (let node = 1; node < this.#parents.length; node++) {
      for (const other of this.path(node)) {
        const block = this.block(node, other, slots);
        entries.push(...block);
        if (other !== node) {
          for (const { row, column, slot } of block) {
            entries.push({ row: column, column: row, slot });
          }
        }
        slots += block.length;
      }
    }
    return { entries, slots };
  }

  /** Entries of a block, row-major. */
  block(row: number, column: number, slot: number): PlannedEntry[] {
    const [height, width] = [this.width(row), this.width(column)];
    return Array.from({ length: height * width }, (_, k) => ({
      row: this.tree.nodes[row - 1]!.velocity + Math.floor(k / width),
      column: this.tree.nodes[column - 1]!.velocity + (k % width),
      slot: slot + k,
    }));
  }

  get count(): number {
    return this.#parents.length;
  }
}

/** Derivatives of the equations: blocks of nodes on one path first, then those of nodes that forces connect. */
class ForcePlaces implements PlannedMatrix {
  readonly entries: PlannedEntry[] = [];
  readonly #matrices: PathMatrices;
  readonly #places = new Map<number, number>();
  #slots = 0;

  constructor(matrices: PathMatrices) {
    this.#matrices = matrices;
    for (let node = 1; node < matrices.count; node++) {
      this.of(node, node);
      for (const other of matrices.path(node).slice(1)) {
        this.of(node, other);
        this.of(other, node);
      }
    }
  }

  get slots(): number {
    return this.#slots;
  }

  /** Returns the slot of the block of two nodes, and creates the block if necessary. */
  of(row: number, column: number): number {
    const key = row * this.#matrices.count + column;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const slot = this.#slots;
    const block = this.#matrices.block(row, column, slot);
    for (const entry of block) this.entries.push(entry);
    this.#slots += block.length;
    this.#places.set(key, slot);
    return slot;
  }
}

/** J of a tree. */
interface PlannedRows extends PlannedMatrix {
  /** A PathSource for each body of a block of rows, with its list of offsets. */
  readonly sources: readonly { readonly head: readonly number[]; readonly places: number[] }[];
}

/** Plans J, block by block, row-major; columns are those of the nodes on the paths of its bodies. */
function planRows({ rest }: RelativePlan, matrices: PathMatrices): PlannedRows {
  const entries: PlannedEntry[] = [];
  let slots = 0;
  const sources = rest.blocks.flatMap((block, index) => {
    const { bodies, rows, firstRow } = block;
    const nodes = bodies.map((body) => matrices.nodeOf(body));
    const end = tellsBodiesApart(block) ? matrices.meeting(nodes[0]!, nodes[1]!) : 0;
    const offsets = new Map<number, number>();
    let width = 0;
    for (const node of nodes.flatMap((from) => matrices.path(from, end))) {
      if (offsets.has(node)) continue;
      offsets.set(node, width);
      width += matrices.width(node);
    }
    const first = slots;
    for (let row = 0; row < rows; row++) {
      for (const [node, offset] of offsets) {
        for (let k = 0; k < matrices.width(node); k++) {
          const column = matrices.tree.nodes[node - 1]!.velocity + k;
          entries.push({ row: firstRow + row, column, slot: first + row * width + offset + k });
        }
      }
    }
    slots += rows * width;
    return bodies.map((body, place) => ({
      head: record(PathSource.LENGTH, [
        [PathSource.NODE, nodes[place]!],
        [PathSource.BODY, body],
        [PathSource.ROWS, rows],
        [PathSource.SLOT, rest.sparse.jacobianSlotOf[index]![place]],
        [PathSource.END, end],
        [PathSource.WIDTH, width],
      ]),
      places: matrices.path(nodes[place]!, end).map((node) => first + offsets.get(node)!),
    }));
  });
  return { entries, slots, sources };
}

/**
 * Returns whether rows between two bodies, neither of them the ground, are invariant when both bodies move together.
 */
function tellsBodiesApart({ block: { rows, user }, bodies }: PlannedBlock): boolean {
  return bodies.length === 2 && !user && !rows.some(couplesSensors);
}

const NO_ROWS: PlannedRows = { entries: [], slots: 0, sources: [] };

/**
 * The table of kernels (`TreeDerivatives`) from its head; the offsets of blocks are those of `forces`, if matrices
 * along paths are needed.
 */
function derivativeTable(
  head: readonly (readonly [TreeDerivatives, number])[],
  matrices: PathMatrices,
  blocks: readonly DerivativeBlock[],
  forces?: ForcePlaces,
  rows: PlannedRows = NO_ROWS,
): number[] {
  const pairs = blocks.map((block, index) => pairOf(block, index, matrices, forces));
  const table = record(TreeDerivatives.LENGTH, [
    ...head,
    [TreeDerivatives.BLOCK_COUNT, pairs.length],
    [TreeDerivatives.SOURCE_COUNT, rows.sources.length],
    [TreeDerivatives.JACOBIAN_SLOTS, rows.slots],
  ]);
  for (const [field, list, length, at] of [
    [TreeDerivatives.BLOCK_LIST, pairs, ForceBlock.LENGTH, ForceBlock.PLACES],
    [TreeDerivatives.SOURCE_LIST, rows.sources, PathSource.LENGTH, PathSource.PLACES],
  ] as const) {
    const first = table.length;
    table[field] = first;
    for (const { head } of list) table.push(...head);
    for (const [index, { places }] of list.entries()) {
      table[first + length * index + at] = table.length;
      for (const place of places) table.push(place);
    }
  }
  return table;
}

function pairOf(
  { row, column }: DerivativeBlock,
  index: number,
  matrices: PathMatrices,
  forces: ForcePlaces | undefined,
) {
  const [rowBody, columnBody] = [row / BODY_VELOCITIES, column / BODY_VELOCITIES];
  const [first, last] = [matrices.nodeOf(rowBody), matrices.nodeOf(columnBody)];
  const meeting = matrices.meeting(first, last);
  const places: number[] = [];
  let end = 0;
  for (const j of first === last || !forces ? [] : matrices.path(last)) {
    if (j === meeting) end = meeting;
    for (const i of matrices.path(first, end)) places.push(forces!.of(i, j));
  }
  const head = record(ForceBlock.LENGTH, [
    [ForceBlock.ROW_NODE, first],
    [ForceBlock.COLUMN_NODE, last],
    [ForceBlock.ROW_BODY, rowBody],
    [ForceBlock.COLUMN_BODY, columnBody],
    [ForceBlock.MEETING, meeting],
    [ForceBlock.SLOT, BODY_VELOCITIES * BODY_VELOCITIES * index],
  ]);
  return { head, places };
}

/**
 * Multiplications of an elimination along the tree, per node. A dense elimination on a path takes the square of the
 * depth per node. At about 40 hinges in a chain the two are equal, and either may be used.
 */
const TREE_WORK_PER_NODE = 500;

/**
 * Stages of a deep tree of hinges, slides and screws by elimination along the tree
 * (assembly/tree/derivatives/stage.ts). Undefined if matrices along paths are as good, or forces connect more than
 * neighbours.
 */
function treeStages(system: RelativeQuantities, stiff: StiffMemory): StageEquations | undefined {
  const { plan } = system;
  if (!isDeep(plan) || !canEliminate(plan)) return undefined;
  const paths = new PathMatrices(plan.tree);
  return new TreeStages(system, stiff, paths, reserveBlocks(system.bodyQuantities));
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
 * Multiplications per equation of maximal coordinates in a factorisation of a stage, without and with constraints on
 * all velocities, and equations per body: as in isSparseCheaper.
 */
const SPARSE_WORK = { free: 150, constrained: 700, equations: 24 } as const;
/** Cost of a sparse elimination relative to a dense one. */
const SPARSE_OVERHEAD = 4;
/** Evaluations cost less along a tree, so stages may cost more by this factor. */
const MAX_COST_RATIO = 1.5;

/**
 * Returns the reason why stages of a mechanism cost less in maximal coordinates, by estimated multiplications;
 * empty if they cost no less.
 */
function whyStagesAreCostly(plan: RelativePlan): string {
  const { tree, rest, whole } = plan;
  const bodies = whole.model.bodies.length;
  const freedom = Math.max(1, tree.velocities - rest.rows);
  const held = 1 - Math.min(1, freedom / (BODY_VELOCITIES * bodies));
  const each = SPARSE_WORK.free + held * (SPARSE_WORK.constrained - SPARSE_WORK.free);
  const dense = (freedom * freedom * freedom) / 3;
  const apart = Math.min(dense, each * SPARSE_WORK.equations * bodies);
  // From the leaves: for each coordinate the square of the number of inboard coordinates.
  const squares = depthsOf(tree).reduce(
    (sum, depth, i) => sum + tree.nodes[i]!.velocityNames.length * depth * depth,
    0,
  );
  const along = Math.min(dense, SPARSE_OVERHEAD * squares);
  if (along <= MAX_COST_RATIO * apart || canEliminate(plan)) return "";
  const rounded = (work: number) => Number(work.toPrecision(2));
  return (
    `a stage along so deep a tree takes about ${rounded(along)} multiplications, ` +
    `${rounded(apart)} in maximal coordinates`
  );
}

function isDeep({ tree }: RelativePlan): boolean {
  const squares = depthsOf(tree).reduce((sum, depth) => sum + depth * depth, 0);
  return squares > TREE_WORK_PER_NODE * tree.nodes.length;
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
  readonly #motion: TreeMotion;
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
    this.#motion = new TreeMotion(system);
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
    // Without rows no multipliers are read.
    writeBlocks(system.bodyQuantities, this.#stiff, this.#blocks, accelerations);
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

/**
 * Maximum number of elements of M, above which these matrices would fill the memory: some 1400 degrees of freedom on
 * one path.
 */
const MAX_MATRIX_SLOTS = 1e6;

/** Rejects trees whose matrices along paths are too large. */
function requireShallow(
  { plan, bodyQuantities: bodies }: RelativeQuantities,
  paths: PathMatrices,
): void {
  const inwards = [0];
  let slots = 0;
  for (let node = 1; node < paths.count; node++) {
    inwards.push(inwards[paths.parent(node)]! + paths.width(node));
    slots += paths.width(node) * inwards[node]!;
  }
  if (slots <= MAX_MATRIX_SLOTS) return;
  throw new NodriftError(
    "METHOD",
    `${bodies.name}: the mass matrix of ${plan.tree.velocities} joint coordinates in so deep a tree has ${slots} ` +
      'numbers, too many for implicit methods: compile with coordinates: "maximal"',
  );
}

/** M and J of a tree in memory, and the tables of their derivatives. */
class TreeMatrices {
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
    this.blocks = reserveBlocks(system.bodyQuantities);
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

  /** Updates M to the trial state. */
  updateMass(): void {
    const { system } = this;
    if (this.#massAt === system.generation) return;
    this.#updateAxes();
    this.stiff.kernels.treeMass(this.table, this.mass);
    this.#massAt = system.generation;
  }

  /** Updates J to the trial state. */
  updateJacobian(): void {
    const { system } = this;
    if (this.#rowsAt === system.generation || system.rows === 0) return;
    this.#updateAxes();
    system.bodyQuantities.require(Want.PHI | Want.JACOBIAN);
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

/**
 * The matrices of a tree, entry by entry; `length` is a typical length of the mechanism. M and J are created on first
 * use, since those of a deep tree are large.
 */
function relativeEntries(
  system: RelativeQuantities,
  stiff: StiffMemory,
  matrices: () => TreeMatrices,
  length: number,
): SparseEquations {
  const { workspace, plan, trial, rows } = system;
  const one = workspace.constants("one", [1]);
  const lightness = lightnessOf(system);
  const weights = weightsOf(system, lightness, length);
  const rowSizes = rows === 0 ? () => [] : rowSizesOf(system, matrices, lightness, length);
  let mass: MatrixEntry[] | undefined;
  let jacobian: MatrixEntry[] | undefined = rows === 0 ? [] : undefined;
  return {
    get mass() {
      mass ??= entriesAt(matrices().massPlan, matrices().mass);
      return mass;
    },
    get jacobian() {
      jacobian ??= entriesAt(matrices().rowPlan, matrices().jacobian);
      return jacobian;
    },
    rates: plan.tree.nodes.flatMap((node) => ratesOf(node, trial.q, one)),
    eulerParameterStarts: plan.tree.nodes.filter(hasTurns).map(firstParameter),
    weights: () => weights,
    rowSizes,
    nearby: workspace.constants("displacement to a pose nearby", displacementOf(system, length)),
    updateMass() {
      if (mass !== undefined) matrices().updateMass();
    },
    updateJacobian() {
      if (rows > 0) matrices().updateJacobian();
    },
    rateBias: (out) => stiff.kernels.treePositionBias(system.table, out),
  };
}

/** Entries of a matrix at an address. */
function entriesAt({ entries }: PlannedMatrix, address: Address): MatrixEntry[] {
  return entries.map(({ row, column, slot }) => ({
    row,
    column,
    address: address + 8 * slot,
    scale: 1,
  }));
}

/** Whether a node has Euler parameters. */
function hasTurns({ kind }: PlannedNode): boolean {
  return kind === NodeKind.BALL || kind === NodeKind.FREE;
}

/** Number of coordinates of a node whose rates are velocities; Euler parameters follow them. */
function straight({ kind, positionNames }: PlannedNode): number {
  if (kind === NodeKind.FREE) return 3;
  return kind === NodeKind.BALL ? 0 : positionNames.length;
}

/** Index of the first Euler parameter of a node in q. */
function firstParameter(node: PlannedNode): number {
  return node.position + straight(node);
}

/** Index of the first angular velocity of such a node in v. */
function firstTurn(node: PlannedNode): number {
  return node.velocity + straight(node);
}

function ratesOf(node: PlannedNode, trial: Address, one: Address): MatrixEntry[] {
  const linear = Array.from({ length: straight(node) }, (_, i) => ({
    row: node.position + i,
    column: node.velocity + i,
    address: one,
    scale: 1,
  }));
  if (!hasTurns(node)) return linear;
  return [...linear, ...turnEntries(firstParameter(node), firstTurn(node), trial)];
}

function displacementOf({ plan }: RelativeQuantities, length: number): number[] {
  return plan.tree.nodes.flatMap(({ kind, velocity, velocityNames }) =>
    velocityNames.map((_, i) => {
      const isSlide = kind === NodeKind.SLIDE || (kind === NodeKind.FREE && i < 3);
      return (isSlide ? length : 1) * nearbyTurn(velocity + i);
    }),
  );
}

/** 1 / sqrt(outboard mass), for each node. */
function lightnessOf({ plan }: RelativeQuantities): number[] {
  const { nodes } = plan.tree;
  const masses = nodes.map(({ body }) => plan.rest.model.bodies[body]?.mass ?? 0);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { parent } = nodes[i]!;
    if (parent >= 0) masses[parent]! += masses[i]!;
  }
  return masses.map((mass) => 1 / Math.sqrt(mass));
}

/**
 * Weights as for bodies (bodies/system/matrix-entries.ts), by the outboard mass of a node: an angle of 1 moves the
 * other end by some 2 length, an Euler parameter by twice as much.
 */
function weightsOf(
  { plan }: RelativeQuantities,
  lightness: readonly number[],
  length: number,
): number[] {
  return plan.tree.nodes.flatMap((node, index) => {
    const scale = lightness[index]!;
    const turning = node.kind === NodeKind.HINGE || node.kind === NodeKind.SCREW;
    const own = Array.from({ length: straight(node) }, () =>
      turning ? scale / (2 * length) : scale,
    );
    return hasTurns(node) ? [...own, ...Array(4).fill(scale / (4 * length))] : own;
  });
}

/**
 * Sizes of rows by the velocities of bodies, whose coefficients are unit vectors and arms: they vanish at no pose.
 * Rows by joint coordinates do. When a parallelogram is flat, no motion of its joints moves the end along its bars.
 * Scaled to its largest element, which is rounding there, that row seemed independent, and runs stalled with a
 * partition chosen by rounding.
 */
function rowSizesOf(
  { workspace, bodyQuantities: bodies, plan, rows }: RelativeQuantities,
  matrices: () => TreeMatrices,
  lightness: readonly number[],
  length: number,
): () => readonly number[] {
  let numbers = new Float64Array(0);
  workspace.whenSealed((arena) => {
    numbers = new Float64Array(arena.memory.buffer as ArrayBuffer);
  });
  let entries: readonly MatrixEntry[] = [];
  /** Largest weight of a displacement in each row: that of the lightest node. */
  const largest = Array<number>(rows).fill(0);
  function lay(): void {
    entries = jacobianOf(bodies);
    const ofColumn = plan.tree.nodes.flatMap(({ velocityNames }, index) =>
      velocityNames.map(() => lightness[index]!),
    );
    for (const { row, column } of matrices().rowPlan.entries) {
      largest[row] = Math.max(largest[row]!, ofColumn[column]!);
    }
  }
  return () => {
    if (entries.length === 0) lay();
    const sizes = Array<number>(rows).fill(0);
    for (const { row, column, address, scale } of entries) {
      const arm = column % BODY_VELOCITIES < 3 ? 1 : 1 / (2 * length);
      const size = Math.abs(scale * numbers[address / 8]!) * arm * largest[row]!;
      if (!(size <= sizes[row]!)) sizes[row] = size;
    }
    return sizes;
  };
}

/** Derivatives of T for each node with Euler parameters: four of them by three axes. */
const RATE_DERIVATIVES = 12;

/** Analytic derivatives of a tree, or a text with the reason why there are none. */
function relativeDerivatives(tree: TreeMatrices, stiff: StiffMemory): EquationDerivatives | string {
  const { system, rowPlan, forcePlan, blocks } = tree;
  const { plan, workspace, bodyQuantities: bodies } = system;
  const missing = withoutDerivatives(plan.rest);
  if (missing !== undefined) return missing;
  const turning = plan.tree.nodes.filter(hasTurns);
  const { slots } = rowPlan;
  const size = slots + RATE_DERIVATIVES * turning.length;
  const rate = workspace.vector("derivatives of rows", 3 * size);
  const [bias, gyro] = [rate + 8 * size, rate + 16 * size];
  const ofBodies = workspace.vector(
    "derivatives of rows of bodies",
    3 * bodies.segments.jacobian.slots,
  );
  const stiffness = workspace.vector("stiffness of the tree", 2 * forcePlan.slots);
  const damping = stiffness + 8 * forcePlan.slots;
  const forces = entriesAt(forcePlan, stiffness);
  const list = workspace.reserve("entries of stiffness", Math.ceil((3 * forces.length) / 2));
  workspace.whenSealed((arena) => {
    const integers = arena.integers(list);
    forces.forEach(({ row, column, address }, i) => {
      integers[i] = row;
      integers[forces.length + i] = column;
      integers[2 * forces.length + i] = address;
    });
  });
  const motion = new TreeMotion(system);
  const addTo = (shift: number, stride: number, x: Address, out: Address) => {
    const count = forces.length;
    const [columns, addresses] = [list.address + 4 * count, list.address + 8 * count];
    stiff.kernels.entriesTimesRows(
      count,
      list.address,
      columns,
      addresses,
      shift,
      stride,
      1,
      x,
      out,
    );
  };
  return {
    rows: entriesAt(rowPlan, rate),
    rates: unwrappedAnglesOf(turning, rate + 8 * slots),
    biasOffset: bias - rate,
    gyroscopicOffset: gyro - rate,
    forces,
    dampingOffset: damping - stiffness,
    // Nodes on one path are coupled from the beginning; elimination from the leaves adds no couplings.
    couplings: () => Math.ceil(forcePlan.slots / BODY_VELOCITIES ** 2),
    addStiffness: (stride, x, out) => addTo(0, stride, x, out),
    addDamping: (stride, x, out) => addTo(damping - stiffness, stride, x, out),
    evaluate(accelerations, multipliers) {
      const { kernels } = stiff;
      tree.updateMass();
      motion.find(accelerations);
      kernels.treeColumns(tree.table);
      motion.addBias();
      writeBlocks(bodies, stiff, blocks, multipliers);
      motion.balance(multipliers);
      kernels.treeDerivatives(
        tree.table,
        motion.loads,
        motion.rest,
        blocks.stiffness,
        blocks.damping,
        BODY_VELOCITIES,
        forcePlan.slots,
        stiffness,
        damping,
      );
      if (system.rows > 0) {
        const step = 8 * bodies.segments.jacobian.slots;
        const [r, b, g] = [ofBodies, ofBodies + step, ofBodies + 2 * step];
        kernels.bodyRowDerivatives(bodies.table, motion.accelerations, r, b, g);
        blocks.formulas?.rows(motion.accelerations, r, b, g);
        kernels.treeRowDerivatives(tree.table, motion.accelerations, r, b, g, rate, bias, gyro);
      }
      const turns = 8 * slots;
      kernels.treeTurnDerivatives(
        system.table,
        accelerations,
        rate + turns,
        bias + turns,
        gyro + turns,
      );
    },
  };
}

/** Entries of the derivatives of T: rows are positions, columns are velocities. */
function unwrappedAnglesOf(nodes: readonly PlannedNode[], address: Address): MatrixEntry[] {
  return nodes.flatMap((node, index) =>
    Array.from({ length: RATE_DERIVATIVES }, (_, k) => ({
      row: firstParameter(node) + Math.floor(k / 3),
      column: firstTurn(node) + (k % 3),
      address: address + 8 * (RATE_DERIVATIVES * index + k),
      scale: 1,
    })),
  );
}

/** Matrices of a mechanism in relative coordinates. Memory is reserved when a method needs them. */
export class RelativeMatrices implements Matrices {
  readonly #system: RelativeQuantities;
  readonly #length: number;
  #sparse: SparseEquations | undefined;
  #tree: TreeMatrices | undefined;

  constructor(system: RelativeQuantities, length: number) {
    this.#system = system;
    this.#length = length;
  }

  get costly(): string {
    return whyStagesAreCostly(this.#system.plan);
  }

  sparse(stiff: StiffMemory): SparseEquations {
    const matrices = () => this.#matrices(stiff);
    this.#sparse ??= relativeEntries(this.#system, stiff, matrices, this.#length);
    return this.#sparse;
  }

  derivatives(stiff: StiffMemory): EquationDerivatives | string {
    return relativeDerivatives(this.#matrices(stiff), stiff);
  }

  stages(stiff: StiffMemory): StageEquations | undefined {
    return treeStages(this.#system, stiff);
  }

  #matrices(stiff: StiffMemory): TreeMatrices {
    this.#tree ??= new TreeMatrices(this.#system, stiff);
    return this.#tree;
  }
}
