import { padToTwo, Status } from "../../../../assembly/layout.js";
import {
  BODY_VELOCITIES,
  ForcePart,
  LoopBlock,
  loopScratchSlots,
  Sensor,
  Turn,
  Want,
} from "../../../../assembly/layout-bodies.js";
import {
  LoadedBody,
  Node,
  NodeConstant,
  NodeEntry,
  NodeKind,
  RowBlock,
  RowSource,
  TreePart,
  TreeTable,
} from "../../../../assembly/layout-tree.js";
import {
  IDENTITY,
  type Matrix,
  multiply,
  quaternionOf,
  transpose,
} from "../../../base/algebra/vectors.js";
import { SimulationError } from "../../../base/errors.js";
import {
  type Address,
  type Arena,
  placeInTable,
  type Segment,
} from "../../../base/memory/arena.js";
import { Workspace } from "../../../base/memory/workspace.js";
import { record } from "../../../base/sparse/symbolic.js";
import { initSync } from "../../../base/wasm/module.js";
import { failed, statusCode, statusIndex } from "../../../base/wasm/status.js";
import type { FusedSolver, Pushes, StateAddress } from "../../../interfaces/index.js";
import { forceMarkers } from "../../../model/kinds.js";
import { bodiesRead, readsTime } from "../../../model/measured/measured-formula.js";
import type { BodyData, ModelData, Vector } from "../../../model/model-data.js";
import type { BodySegments } from "../../bodies/memory/memory.js";
import { hasUserRows } from "../../bodies/plan/plan.js";
import { anglesOf } from "../../bodies/system/angle-continuation.js";
import type { LoopParts } from "../../bodies/system/loop-ranks.js";
import { BodyQuantities } from "../../bodies/system/quantities.js";
import { MAX_COORDINATE, stiffAdvice } from "../../bodies/system/solve-errors.js";
import { stateAt } from "../../system-parts.js";
import { firstIncidences, type RelativePlan, slotsOfY } from "../plan/relative-plan.js";
import { coordinateNames, type PlannedNode } from "../plan/tree-plan.js";

/** The forces of all laws; gravity and gyroscopic forces are in the bias of the tree. */
export const LAWS = ForcePart.CONSERVATIVE | ForcePart.OTHER | ForcePart.WITHOUT_GRAVITY;

// Memory layout of a tree, and the data written once.

/** Segments of a tree. */
type TreeSegments = Readonly<Record<keyof ReturnType<typeof lengths>, Segment>>;

function lengths(plan: RelativePlan) {
  const { tree, rest, sparse } = plan;
  const { positions, velocities, nodes } = tree;
  const count = nodes.length + 1;
  const largest = rest.blocks.reduce((most, { rows }) => Math.max(most, rows), 0);
  return {
    state: positions + velocities + 1,
    trial: positions + velocities + 1,
    table: Math.ceil(tableLength(plan) / 2),
    constants: NodeConstant.LENGTH * count,
    nodes: Node.LENGTH * count,
    sparseTable: Math.ceil(sparse.table.length / 2),
    y: slotsOfY(plan),
    factor: sparse.blockSlots,
    pivots: rest.rows,
    sparseScratch: sparse.scratchSlots,
    loopBlocks: LoopBlock.LENGTH * rest.blocks.length,
    loopScratch: loopScratchSlots(largest),
    wrenches: rest.rows === 0 ? 0 : 6 * padToTwo(largest) * count,
    rowScratch: rest.rows,
    bodyScratch: BODY_VELOCITIES * rest.model.bodies.length,
    velocityScratch: velocities,
    clock: 2,
    lawValues: rest.model.forces.reduce((sum, { formulas = [] }) => sum + formulas.length, 0),
  };
}

function tableLength({ tree, rest }: RelativePlan): number {
  const sources = rest.blocks.reduce((sum, { bodies }) => sum + bodies.length, 0);
  return (
    TreeTable.LENGTH +
    NodeEntry.LENGTH * (tree.nodes.length + 1) +
    RowBlock.LENGTH * rest.blocks.length +
    RowSource.LENGTH * sources +
    LoadedBody.LENGTH * loadedBodies(rest.model).length
  );
}

/** Reserves the memory of a tree; tables and constants are written when it exists. */
function reserveTree(plan: RelativePlan, workspace: Workspace, bodies: BodySegments): TreeSegments {
  const segments = Object.fromEntries(
    Object.entries(lengths(plan)).map(([name, slots]) => [
      name,
      workspace.reserve(`tree ${name}`, slots),
    ]),
  ) as TreeSegments;
  workspace.whenSealed((arena) => {
    arena.integers(segments.table).set(tableOf(plan, segments, bodies));
    arena.integers(segments.sparseTable).set(plan.sparse.table);
    writeNodes(plan, segments, arena);
  });
  return segments;
}

/** Bodies that forces read or act on. */
function loadedBodies({ forces, markers, sensors, userForces }: ModelData): number[] {
  const formulas = [
    ...forces.flatMap((force) => (force.formulas ?? []).map(({ formula }) => formula)),
    ...userForces.flatMap((force) => force.formulas ?? []),
  ];
  const bodies = [
    ...forces.flatMap((force) =>
      forceMarkers(force, sensors).map((marker) => markers[marker]!.body),
    ),
    ...userForces.flatMap((force) => force.bodies),
    ...formulas.flatMap((formula) => bodiesRead(formula, markers)),
  ];
  return [...new Set(bodies)].filter((body) => body >= 0);
}

function tableOf(plan: RelativePlan, segments: TreeSegments, bodies: BodySegments): number[] {
  const { tree, rest } = plan;
  const head: [TreeTable, number][] = [
    [TreeTable.NODE_COUNT, tree.nodes.length + 1],
    [TreeTable.CONSTANTS, segments.constants.address],
    [TreeTable.NODES, segments.nodes.address],
    [TreeTable.POSITIONS, segments.trial.address],
    [TreeTable.VELOCITIES, segments.trial.address + 8 * tree.positions],
    [TreeTable.POSITION_COUNT, tree.positions],
    [TreeTable.VELOCITY_COUNT, tree.velocities],
    [TreeTable.BODY_TABLE, bodies.table.address],
    [TreeTable.ROW_COUNT, rest.rows],
    [TreeTable.BLOCK_COUNT, rest.blocks.length],
    [TreeTable.SPARSE_TABLE, segments.sparseTable.address],
    [TreeTable.Y, segments.y.address],
    [TreeTable.SPARSE_FACTOR, segments.factor.address],
    [TreeTable.SPARSE_PIVOTS, segments.pivots.address],
    [TreeTable.SPARSE_SCRATCH, segments.sparseScratch.address],
    [TreeTable.LOOP_BLOCKS, segments.loopBlocks.address],
    [TreeTable.LOOP_SCRATCH, segments.loopScratch.address],
    [TreeTable.WRENCHES, segments.wrenches.address],
    [TreeTable.WRENCH_SLOTS, segments.wrenches.slots / (tree.nodes.length + 1)],
    [TreeTable.ROW_SCRATCH, segments.rowScratch.address],
    [TreeTable.BODY_SCRATCH, segments.bodyScratch.address],
    [TreeTable.VELOCITY_SCRATCH, segments.velocityScratch.address],
    [TreeTable.LOADED_COUNT, loadedBodies(rest.model).length],
  ];
  const table = record(TreeTable.LENGTH, head);
  for (const [field, list] of [
    [TreeTable.NODE_LIST, nodeList(plan)],
    [TreeTable.BLOCK_LIST, blockList(plan)],
    [TreeTable.SOURCE_LIST, sourceList(plan)],
    [
      TreeTable.LOADED_LIST,
      loadedBodies(rest.model).flatMap((body) => [tree.nodeOf[body]! + 1, body]),
    ],
  ] as const) {
    table[field] = table.length;
    for (const value of list) table.push(value);
  }
  return table;
}

function nodeList({ tree, rest }: RelativePlan): number[] {
  const angleSlots = new Map(anglesOf(rest));
  const ground = new Array<number>(NodeEntry.LENGTH).fill(0);
  const entries = tree.nodes.flatMap(({ kind, parent, body, position, velocity, turn, sensor }) =>
    record(NodeEntry.LENGTH, [
      [NodeEntry.KIND, kind],
      [NodeEntry.PARENT, parent + 1],
      [NodeEntry.BODY, body],
      [NodeEntry.POSITION, position],
      [NodeEntry.VELOCITY, velocity],
      [NodeEntry.ALIGNED, turn.every((value, i) => value === IDENTITY[i]) ? 1 : 0],
      [NodeEntry.ANGLE, angleSlots.get(sensor) ?? -1],
    ]),
  );
  return [...ground, ...entries];
}

function blockList(plan: RelativePlan): number[] {
  const { rest, paths } = plan;
  const incidences = firstIncidences(plan);
  let sources = 0;
  return rest.blocks.flatMap(({ rows, firstRow, bodies }, index) => {
    const first = sources;
    sources += bodies.length;
    return record(RowBlock.LENGTH, [
      [RowBlock.ROWS, rows],
      [RowBlock.FIRST_ROW, firstRow],
      [RowBlock.FIRST_INCIDENCE, incidences[index]],
      [RowBlock.INCIDENCE_COUNT, paths[index]!.length],
      [RowBlock.FIRST_SOURCE, first],
      [RowBlock.SOURCE_COUNT, bodies.length],
    ]);
  });
}

function sourceList({ tree, rest }: RelativePlan): number[] {
  return rest.blocks.flatMap(({ bodies }, index) =>
    bodies.flatMap((body, i) =>
      record(RowSource.LENGTH, [
        [RowSource.NODE, tree.nodeOf[body]! + 1],
        [RowSource.BODY, body],
        [RowSource.SLOT, rest.sparse.jacobianSlotOf[index]![i]],
      ]),
    ),
  );
}

/** Writes the node data that follow from masses, inertias and gravity; the other node data are rewritten unchanged. */
function writeNodes({ tree, rest }: RelativePlan, segments: TreeSegments, arena: Arena): void {
  const { bodies, gravity } = rest.model;
  const constants = arena.floats(segments.constants);
  tree.nodes.forEach((node, index) => {
    constants.set(constantsOf(node, bodies[node.body]), NodeConstant.LENGTH * (index + 1));
  });
  const ground = arena.floats(segments.nodes).subarray(0, Node.LENGTH);
  ground.set(IDENTITY, Node.ROTATION);
  ground.set(
    gravity.map((g) => -g),
    Node.BIAS + 3,
  );
  ground[Node.PUBLISHED] = 1;
}

function constantsOf(node: PlannedNode, body: BodyData | undefined): number[] {
  const { turn, offset, pitch, kind, bodyAxes, centre } = node;
  const values = new Array<number>(NodeConstant.LENGTH).fill(0);
  const write = (slot: NodeConstant, numbers: readonly number[]) => {
    for (let i = 0; i < numbers.length; i++) values[slot + i] = numbers[i]!;
  };
  write(NodeConstant.TURN, turn);
  write(NodeConstant.OFFSET, offset);
  write(NodeConstant.PITCH, [kind === NodeKind.SCREW ? pitch : 0]);
  write(NodeConstant.BODY_AXES, bodyAxes);
  write(NodeConstant.CENTRE, centre);
  write(NodeConstant.TURN_PARAMETERS, quaternionOf(turn));
  write(NodeConstant.BODY_PARAMETERS, quaternionOf(bodyAxes));
  if (body === undefined) return values;
  write(NodeConstant.MASS, [body.mass]);
  write(
    NodeConstant.MOMENT,
    centre.map((c) => body.mass * c),
  );
  write(NodeConstant.INERTIA, inertiaAbout(body, bodyAxes, centre));
  return values;
}

/** Inertia about a point from which the centre of mass is at c, in the axes of the node: Steiner's theorem. */
function inertiaAbout({ mass, inertia }: BodyData, axes: Matrix, c: Vector): number[] {
  const turned = multiply(multiply(axes, inertia), transpose(axes));
  const square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  return [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ].map(([i = 0, j = 0]) => {
    const own = (turned[3 * j + i]! + turned[3 * i + j]!) / 2;
    return own + mass * ((i === j ? square : 0) - c[i]! * c[j]!);
  });
}

/** Data that are searched for the cause of a failed solve. */
interface TreeErrorContext {
  readonly time: number;
  readonly bodyQuantities: {
    readonly name: string;
    readonly plan: { readonly model: ModelData };
    errorFor(status: number, advice: string): Error;
  };
  readonly positions: number;
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
  readonly trialNumbers: Float64Array;
}

/** Returns the error for a failed kernel of a tree: names the coordinate or the row, the time, and a remedy. */
function treeSolveError(system: TreeErrorContext, status: number, advice: string): SimulationError {
  const { time, bodyQuantities: bodies } = system;
  const at = `at t = ${time}`;
  const diverged = divergedCoordinate(system);
  if (diverged !== undefined) {
    return new SimulationError(
      "STEP",
      time,
      `${bodies.name}: ${diverged} ${at}: the motion diverged. Try a shorter step${stiffAdvice(bodies.plan.model)}`,
    );
  }
  const code = statusCode(status);
  if (code === Status.NOT_POSITIVE) {
    const name = system.velocityNames[statusIndex(status)];
    return new SimulationError(
      "MASS",
      time,
      `${bodies.name}: nothing with mass moves along "${name}" ${at}: give the bodies beyond that joint mass and ` +
        'moments of inertia, or compile with coordinates: "maximal"',
    );
  }
  return bodies.errorFor(status, advice) as SimulationError;
}

/** Returns a coordinate or velocity of the trial state that exceeds all bounds. */
function divergedCoordinate(system: TreeErrorContext): string | undefined {
  const names = [...system.positionNames, ...system.velocityNames];
  const values = system.trialNumbers;
  const index = names.findIndex((_, i) => !(Math.abs(values[i]!) < MAX_COORDINATE));
  if (index < 0) return undefined;
  const what = index < system.positions ? "position" : "velocity";
  return `the ${what} "${names[index]}" is ${values[index]}`;
}

/** Quantities known at the trial state, in addition to parts of the tree: bits. */
const GAMMA_KNOWN = 8;
const FORCES_KNOWN = 16;
/** All parts of the tree. */
const TREE = TreePart.POSES | TreePart.RATES | TreePart.INERTIA;

/**
 * State and memory of a mechanism in relative coordinates, and its quantities, each evaluated on first use. Frames,
 * forces and rows are those of bodies (`bodies`), whose poses come from the tree.
 */
export class RelativeQuantities {
  readonly workspace = new Workspace(initSync);
  readonly name: string;
  /** The plan; values, but not the structure, may change: see {@link adoptValues}. */
  plan: RelativePlan;
  /** Frames, force laws, sensors and the remaining rows, in velocities of bodies. */
  readonly bodyQuantities: BodyQuantities;
  readonly positions: number;
  readonly velocities: number;
  readonly rows: number;
  readonly segments: TreeSegments;
  readonly state: StateAddress;
  readonly trial: StateAddress;
  readonly table: Address;
  /** Rows whose rank may be requested. */
  readonly rankedRows: Omit<LoopParts, "constraints" | "dynamics" | "ranks">;
  /** Pivots of the rows in the last factorisation. */
  pivots = new Float64Array(0);
  /** Whether forces other than gravity act on the bodies. */
  readonly hasLoads: boolean;
  /** q and v of the trial state. */
  trialNumbers = new Float64Array(0);
  time = 0;
  generation = 0;
  factorisations = 0;
  /** A vector of six values per body. */
  readonly #bodyVector: Address;
  readonly #bodyBias: Address;
  readonly #gamma: Address;
  readonly #forces: Address;
  #known = 0;
  /**
   * Whether rates are evaluated together with inertias, in one pass: true if the last pose needed both, as poses of
   * loops that need no correction do. If a pose is corrected, that work was wasted, and the next pose is evaluated in
   * parts.
   */
  #combinesPasses = false;
  #isForeseen = false;
  /** Whether there are user rows, which are not called if the result may be unused. */
  readonly #hasFunctions: boolean;
  /** Whether accelerations depend on the state only, and kernels evaluate all of them. */
  readonly isAutonomous: boolean;
  /** Whether kernels can evaluate all forces, also if they depend on time or are functions. */
  readonly canFuse: boolean;
  #kernelsDoAll = false;
  #fields = new Int32Array(TreeTable.LENGTH);
  #begin = new Float64Array(1);
  /** Address of StepSettings, if everything between steps is done by kernels. */
  stepSettings: Address | undefined;
  #keepsStates = false;
  #isCounted = false;
  /** The last trial state, and a stamp that is in memory as well. */
  readonly #last: Address;
  #stamp = 0;
  #noted = new Float64Array(1);
  #rewrite: () => void = () => {};

  constructor(plan: RelativePlan, module: WebAssembly.Module) {
    const [{ tree, rest }, { workspace }] = [plan, this];
    this.plan = plan;
    this.name = rest.model.name;
    this.positions = tree.positions;
    this.velocities = tree.velocities;
    this.rows = rest.rows;
    this.bodyQuantities = new BodyQuantities(rest, module, {
      workspace,
      writeFrames: (rates) => this.#writeFrames(rates),
    });
    this.segments = reserveTree(plan, workspace, this.bodyQuantities.segments);
    this.state = stateAt(this.segments.state.address, this.positions, this.velocities);
    this.trial = stateAt(this.segments.trial.address, this.positions, this.velocities);
    this.table = this.segments.table.address;
    const { userForces, states } = rest.model;
    this.hasLoads = rest.forceList.length > 0 || userForces.length > 0 || states.length > 0;
    this.#hasFunctions = hasUserRows(rest.model);
    this.canFuse = this.bodyQuantities.areRowsTimeless && areLawsKernels(rest.model);
    this.isAutonomous = this.canFuse && !changeInTime(rest.model);
    this.#last = workspace.vector("state before", this.positions + this.velocities);
    const noted = workspace.reserve("number of the state before", 1);
    const slots = this.bodyQuantities.velocities;
    this.#bodyVector = workspace.vector("velocities of bodies", slots);
    this.#bodyBias = workspace.vector("bias of bodies", slots);
    this.#gamma = workspace.vector("gamma", this.rows);
    this.#forces = workspace.vector("generalised forces", this.velocities);
    const loopBlocks = { loopBlocks: new Float64Array(0) };
    this.rankedRows = {
      factor: this.bodyQuantities.factor,
      plan,
      arrays: loopBlocks,
      workspace,
      velocities: this.velocities,
      rows: this.rows,
    };
    workspace.whenSealed((arena) => {
      loopBlocks.loopBlocks = arena.floats(this.segments.loopBlocks);
      this.pivots = arena.floats(this.segments.pivots);
      this.#noted = arena.floats(noted);
      this.#rewrite = () => writeNodes(this.plan, this.segments, arena);
      const slots = this.positions + this.velocities;
      this.trialNumbers = arena.floats({ ...this.segments.trial, slots });
      this.#placeLaws(arena);
    });
  }

  get positionNames(): readonly string[] {
    return coordinateNames(this.plan.tree).positions;
  }

  get velocityNames(): readonly string[] {
    return coordinateNames(this.plan.tree).velocities;
  }

  /** Adopts the masses, gravity and forces of a plan that is otherwise equal. */
  adoptValues(plan: RelativePlan): void {
    this.plan = plan;
    this.bodyQuantities.adopt(plan.rest);
    this.#rewrite();
    // Quantities of a state that recurs were computed with the old values.
    this.#stamp++;
    this.#known = 0;
    this.generation++;
  }

  /** Lets kernels evaluate the forces of laws, and call those that are formulas or functions. */
  #placeLaws(arena: Arena): void {
    const { bodyQuantities: bodies, segments } = this;
    const functions = this.canFuse && bodies.lawFunctions(segments.clock, arena);
    if (!functions) return;
    this.#kernelsDoAll = true;
    if (!this.hasLoads) return;
    const { laws, loads, values, time } = functions;
    const fields = arena.integers(segments.table);
    this.#fields = fields;
    this.#begin = arena.floats(segments.clock).subarray(1);
    fields[TreeTable.FORCE_PARTS] = LAWS;
    fields[TreeTable.FIRST_FUNCTION] = placeInTable(bodies.kernels.table, [...laws, ...loads]);
    fields[TreeTable.LAW_COUNT] = laws.length;
    fields[TreeTable.LOAD_COUNT] = loads.length;
    fields[TreeTable.VALUE_LIST] = segments.lawValues.address;
    fields[TreeTable.VALUE_COUNT] = values.length;
    arena.integers(segments.lawValues).set(values);
    if (this.isAutonomous) return;
    fields[TreeTable.TIME] = time.address;
    fields[TreeTable.BEGIN] = segments.clock.address + 8;
  }

  /** Sets the times of coming stages, for laws that depend on time: t, and parts of the step. */
  beginStages(t: number, parts: Address): void {
    this.#begin[0] = t;
    this.#fields[TreeTable.STAGE_TIMES] = parts;
  }

  /**
   * Whether kernels evaluate accelerations, at present. Laws may read angles that are predicted if
   * bodies turn far in a step, which JavaScript does.
   */
  get areKernelsEnough(): boolean {
    const isPredicted = this.hasLoads && this.bodyQuantities.prediction.isFast;
    return this.#kernelsDoAll && !this.isPushed && !isPredicted;
  }

  /** Sets loads that act in addition to those of the model. */
  push(pushes: Pushes | undefined): void {
    this.bodyQuantities.pushes = pushes;
    this.#keepsStates = false;
    this.#stamp++;
  }

  get isPushed(): boolean {
    return this.bodyQuantities.pushes !== undefined;
  }

  get kernels(): BodyQuantities["kernels"] {
    return this.bodyQuantities.kernels;
  }

  load(t: number): void {
    const { state, trial, positions, velocities } = this;
    this.bodyQuantities.factor.isKept = false;
    const keeps = this.#keepsStates;
    if (!keeps) this.workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
    this.#at(t, keeps && this.kernels.treeLoad(this.table, state.q, this.#last) === 1);
  }

  store(): void {
    const { workspace, positions, velocities, state, trial } = this;
    workspace.kernels.copyVector(positions + velocities, trial.q, state.q);
  }

  at(t: number): void {
    this.#at(t, this.#keepsStates && this.kernels.treeNote(this.table, this.#last) === 1);
  }

  /** `isNoted`: the trial state is the one that was noted last. */
  #at(t: number, isNoted: boolean): void {
    this.#isCounted = false;
    if (this.#keepsStates && this.#isKept(isNoted)) {
      this.time = t;
      this.bodyQuantities.time = t;
      return;
    }
    // Quantities that were evaluated in advance and not used: the pose was corrected.
    if (this.#isForeseen) this.#combinesPasses = false;
    this.#isForeseen = false;
    this.time = t;
    this.generation++;
    this.#known = 0;
    this.bodyQuantities.at(t);
  }

  /**
   * Whether a recurring state (the end of a step is the beginning of the next) keeps its quantities. Set to false if
   * data other than the state may have changed; systems that depend on time never keep them.
   */
  set keepsStates(value: boolean) {
    if (!this.isAutonomous || this.rows === 0 || this.isPushed) return;
    if (!this.#keepsStates) this.#stamp++;
    this.#keepsStates = value;
  }

  /** Whether the quantities belong to a noted state. The stamp in memory reveals a restored memory. */
  #isKept(isNoted: boolean): boolean {
    const isSame = isNoted && this.#noted[0] === this.#stamp;
    if (!isSame) this.#noted[0] = ++this.#stamp;
    return isSame;
  }

  atVelocity(): void {
    if (this.#keepsStates) this.kernels.treeNote(this.table, this.#last);
    this.#known &= TreePart.POSES | TreePart.INERTIA;
    // Rows then have another factor.
    if (this.bodyQuantities.areRowsNonlinear) this.generation++;
    this.bodyQuantities.atVelocity();
  }

  /** Evaluates the poses of the nodes. */
  requirePoses(): void {
    this.#require(TreePart.POSES);
  }

  /** Evaluates the velocities and bias accelerations of the nodes. */
  requireBias(): void {
    this.#require(TreePart.POSES | TreePart.RATES);
  }

  /** Evaluates the articulated inertias of the nodes. */
  requireInertia(): void {
    this.#count();
    if (this.#known & TreePart.INERTIA) return;
    this.#isForeseen = this.#combinesPasses && (this.#known & TreePart.POSES) === 0;
    const rates = this.#isForeseen ? TreePart.RATES : 0;
    this.#require(TreePart.POSES | TreePart.INERTIA | rates);
    this.check(this.kernels.treeFactor(this.table));
  }

  /** Accelerations if there are no rows; leaves articulated inertias. */
  accelerations(loads: Address, out: Address): void {
    const { kernels, table } = this;
    this.#count();
    if (this.#known & TreePart.INERTIA) {
      this.requireBias();
      this.check(kernels.treeSolve(table, 1, loads, 0, out));
    } else {
      const isStarted = (this.#known & TreePart.RATES) === 0 && loads === 0;
      this.#require(TreePart.POSES | TreePart.RATES | TreePart.INERTIA);
      this.check(kernels.treeAccelerations(table, isStarted ? 1 : 0, loads, out));
    }
  }

  /** Whether tree and rows have been evaluated at the trial state. */
  get isEvaluated(): boolean {
    return (this.#known & TREE) === TREE && this.bodyQuantities.areRowsKnown;
  }

  /**
   * Records that kernels have evaluated `before` states, and then tree and rows at the trial state: completely, if
   * `isKnown`.
   */
  setEvaluated(t: number, before: number, isKnown: boolean): void {
    this.factorisations += before;
    this.#isForeseen = false;
    if (!isKnown) this.#stamp++;
    this.at(t);
    if (!isKnown) return;
    this.#known = TREE;
    this.bodyQuantities.setRowsKnown();
  }

  /**
   * Counts the factorisation of a state once, whether it is computed again or still known: runs that continue from a
   * snapshot know less, and must report the same counts.
   */
  #count(): void {
    if (!this.#isCounted) this.factorisations++;
    this.#isCounted = true;
  }

  /** Records that rates are needed at this pose. */
  useRates(): void {
    this.#isForeseen = false;
    this.#combinesPasses = !this.#hasFunctions;
  }

  /** Whether rates are evaluated together with inertias, and rows with both. */
  get isForeseen(): boolean {
    return this.#isForeseen;
  }

  #require(parts: number): void {
    const missing = parts & ~this.#known;
    if (missing === 0) return;
    this.#known |= missing;
    this.check(this.kernels.treeOutwards(this.table, missing));
  }

  /** gamma of the coordinates: that of the bodies minus the contribution of their bias accelerations. */
  gamma(): Address {
    if (this.#known & GAMMA_KNOWN || this.rows === 0) return this.#gamma;
    this.#known |= GAMMA_KNOWN;
    this.bodyQuantities.gamma();
    this.requireBias();
    this.kernels.treeGamma(this.table, this.#gamma);
    return this.#gamma;
  }

  /** Forces on bodies without gravity and inertia; address 0 if there are none. */
  loads(parts: ForcePart | number): Address {
    return this.hasLoads || this.isPushed ? this.bodyQuantities.loads(parts) : 0;
  }

  /** T^T (F - M bias), including gravity and all inertia forces. */
  forces(): Address {
    if (this.#known & FORCES_KNOWN) return this.#forces;
    this.requireBias();
    this.bodyQuantities.requireFrames();
    const { kernels, table, bodyQuantities: bodies } = this;
    const { axpy } = this.workspace.kernels;
    kernels.treeBodyBias(table, this.#bodyBias);
    bodies.massTimes(this.#bodyBias, this.#bodyBias);
    axpy(bodies.velocities, -1, this.#bodyBias, bodies.forces(), this.#bodyBias);
    kernels.treeJointForces(table, this.#bodyBias, this.#forces);
    this.#known |= FORCES_KNOWN;
    return this.#forces;
  }

  /** Invalidates the forces after constants of laws have changed. */
  forgetForces(): void {
    this.#known &= ~FORCES_KNOWN;
    this.bodyQuantities.forgetForces();
  }

  massTimes(x: Address, out: Address): void {
    this.bodyQuantities.massTimes(this.bodyVelocities(x), this.#bodyVector);
    this.kernels.treeJointForces(this.table, this.#bodyVector, out);
  }

  /** T x: velocities of the bodies. */
  bodyVelocities(x: Address): Address {
    this.requirePoses();
    this.kernels.treeBodyVelocities(this.table, x, this.#bodyVector);
    return this.#bodyVector;
  }

  /** out = T^T f for forces f on the bodies. */
  jointForces(f: Address, out: Address): void {
    this.requirePoses();
    this.kernels.treeJointForces(this.table, f, out);
  }

  /** Scratch vector of six values per body. */
  get bodyVector(): Address {
    return this.#bodyVector;
  }

  displace(q: Address, displacement: Address, turn: Turn = Turn.EXPONENTIAL): void {
    this.check(this.kernels.treeDisplace(this.table, q, displacement, turn));
  }

  normalise(q: Address): void {
    // Hinges and slides need nothing.
    if (this.positions === this.velocities) return;
    this.check(this.kernels.treeNormalise(this.table, q));
  }

  check(status: number): void {
    if (failed(status)) throw this.errorFor(status, "");
  }

  errorFor(status: number, advice: string): Error {
    // After a failure nothing is known, whatever was noted.
    this.#stamp++;
    return treeSolveError(this, status, advice);
  }

  /** Throws for a diverged state, so that the previous state, which is finite, remains the last. */
  requireFinite(t: number): void {
    const size = this.positions + this.velocities;
    if (this.workspace.kernels.largestMagnitude(size, this.state.q) < MAX_COORDINATE) return;
    this.load(t);
    throw this.errorFor(Status.NON_FINITE, "");
  }

  /** Sensor values at the accepted state. */
  sensorValues(t: number): Float64Array {
    this.load(t);
    this.bodyQuantities.requireSensors(Want.PHI);
    return this.bodyQuantities.arrays.sensors.filter(
      (_, slot) => slot % Sensor.LENGTH === Sensor.VALUE,
    );
  }

  #writeFrames(rates: boolean): void {
    if (rates) this.requireBias();
    else this.requirePoses();
    this.kernels.treeFrames(this.table, rates ? 1 : 0);
  }
}

/** Whether kernels can evaluate all forces, some of them by calling formulas or functions. */
function areLawsKernels({ controllers, forces, joints, states, userForces }: ModelData): boolean {
  return (
    controllers.length + states.length === 0 &&
    forces.every(({ reaction, reads }) => reaction === undefined && !reads) &&
    userForces.every(({ reads }) => !reads) &&
    joints.every(({ blocks }) => blocks.every(({ user }) => !user))
  );
}

/** Whether forces may depend on more than the state: functions, and formulas with the time. */
function changeInTime({ forces, userForces }: ModelData): boolean {
  return (
    forces.some(
      ({ update, formulas = [] }) => update || formulas.some(({ formula }) => readsTime(formula)),
    ) || userForces.some(({ formulas }) => !formulas || formulas.some(readsTime))
  );
}

/** Stages of an explicit step of a tree without rows. */
export function fusedTree(system: RelativeQuantities): FusedSolver {
  const no = () => false;
  return {
    stages(t, h, { first, count, tableau, nodes, slopes }) {
      // Interactive loads are not computed by kernels: stage by stage.
      if (!system.areKernelsEnough) return first;
      const { kernels, table, state } = system;
      system.beginStages(t, nodes);
      const status = kernels.treeStages(table, first, count, h, state.q, tableau, slopes);
      system.at(t + h);
      if (status !== Status.OK) return first;
      system.factorisations += count - first;
      return count;
    },
    takesSteps: system.isAutonomous && system.positions === system.velocities,
    steps(t, h, steps, { count, tableau, slopes }) {
      const { stepSettings: between, kernels, table, state } = system;
      if (between === undefined || !system.areKernelsEnough) return 0;
      const done = kernels.treeSteps(table, steps, count, h, state.q, tableau, slopes, between);
      system.at(t + done * h);
      system.factorisations += count * done;
      return done;
    },
    slope: no,
    predict: no,
    embed: no,
  };
}

/** Accelerations of the bodies of a tree, the forces on them, and the remainder after inertia: for derivatives. */
export class TreeMotion {
  readonly accelerations: Address;
  readonly loads: Address;
  readonly rest: Address;
  readonly #system: RelativeQuantities;
  readonly #bias: Address;

  constructor(system: RelativeQuantities) {
    const { workspace, bodyQuantities: bodies } = system;
    this.#system = system;
    const reserve = (name: string) => workspace.vector(name, bodies.velocities);
    this.accelerations = reserve("accelerations of bodies");
    this.loads = reserve("forces on bodies");
    this.rest = reserve("forces without those of inertia");
    this.#bias = reserve("bias of bodies for derivatives");
  }

  /** T a: also the twists of all nodes, which the next call of a kernel may overwrite. */
  find(a: Address): void {
    const system = this.#system;
    if (system.rows > 0) system.bodyQuantities.require(Want.PHI | Want.JACOBIAN | Want.RATES);
    system.bodyQuantities.requireFrames();
    system.requireBias();
    system.kernels.treeBodyVelocities(system.table, a, this.accelerations);
  }

  /** u' = T a + bias. */
  addBias(): void {
    const { kernels, table, bodyQuantities: bodies, workspace } = this.#system;
    kernels.treeBodyBias(table, this.#bias);
    const { axpy } = workspace.kernels;
    axpy(bodies.velocities, 1, this.#bias, this.accelerations, this.accelerations);
  }

  /** F + J^T lambda, and the same minus M u'. */
  balance(multipliers: Address): void {
    const system = this.#system;
    const { kernels, bodyQuantities: bodies, workspace } = system;
    const { axpy, copyVector } = workspace.kernels;
    const n = bodies.velocities;
    copyVector(n, bodies.forces(), this.loads);
    if (system.rows > 0) {
      kernels.bodyJacobianTransposeTimes(bodies.table, multipliers, this.rest);
      axpy(n, 1, this.rest, this.loads, this.loads);
    }
    bodies.massTimes(this.accelerations, this.rest);
    axpy(n, -1, this.rest, this.loads, this.rest);
  }
}
