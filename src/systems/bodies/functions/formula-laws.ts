// Laws, forces and rows of a mechanism that are formulas, in the memory of a system.

import {
  BODY_VELOCITIES,
  BushingData,
  ForceKind,
  SensorEntry,
  TyreData,
} from "../../../../assembly/layout-bodies.js";
import { label } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address, Arena, Segment } from "../../../base/memory/arena.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import { scratchSlots } from "../../../formulas/compiled/compile.js";
import type { FunctionSpec, Output } from "../../../formulas/compiled/function-spec.js";
import { isConstant, type Node } from "../../../formulas/expressions/graph.js";
import { Operation } from "../../../formulas/expressions/operations.js";
import type { MeasuredFormula } from "../../../model/formula-data.js";
import { FrameGraph } from "../../../model/measured/frame-graph.js";
import {
  bodiesRead,
  lengthInput,
  sensorInput,
  usedInputs,
} from "../../../model/measured/measured-formula.js";
import type { ForceData, ModelData } from "../../../model/model-data.js";
import { type FormulaFunctions, FormulaModule } from "../../formulas/formula-module.js";
import type { BodySegments } from "../memory/memory.js";
import { auxiliaryBodyOf, firstState } from "../plan/carriers.js";
import { formulasOf, type Plan } from "../plan/plan.js";
import type { PlannedBlock } from "../plan/table-builder.js";

// Formulas of a mechanism over its memory, evaluated at every state.

/** Parameters that formulas read, by name. */
function parametersOf(model: ModelData): ReadonlyMap<string, number> {
  return new Map(
    formulasOf(model)
      .flatMap(usedInputs)
      .flatMap((input) => (input.kind === "parameter" ? [[input.name, input.value] as const] : [])),
  );
}

/** Rows by formulas of one block. */
interface FormulaRows {
  readonly planned: PlannedBlock;
  readonly formulas: readonly MeasuredFormula[];
  /** Slots of its blocks of the Jacobian, one for each body. */
  readonly slots: readonly number[];
}

/** Nodes of rows. */
interface RowNodes extends FormulaRows {
  /** Nodes of holonomic rows. */
  readonly phi: readonly Node[];
  readonly phiDot: readonly Node[];
  readonly gamma: readonly Node[];
  /** Six nodes for each row and body. */
  readonly jacobian: readonly (readonly (readonly Node[])[])[];
}

class FormulaGraph {
  readonly frames: FrameGraph;
  readonly rows: readonly RowNodes[];
  readonly #plan: Plan;
  readonly #segments: BodySegments;

  /** `numbers` is the address of the time, followed by the parameters. */
  constructor(plan: Plan, segments: BodySegments, numbers: Address) {
    this.#plan = plan;
    this.#segments = segments;
    const names = [...parametersOf(plan.model).keys()];
    this.frames = new FrameGraph(plan.model, {
      frames: segments.frames.address,
      time: numbers,
      reference: (sensor) =>
        segments.data.address +
        8 * plan.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA]!,
      parameter: (name) => numbers + 8 * (1 + names.indexOf(name)),
    });
    this.rows = rowsOf(plan).map((rows) => this.#rowNodes(rows));
  }

  #rowNodes(rows: FormulaRows): RowNodes {
    const { frames } = this;
    const { calculus } = frames;
    const { algebra } = calculus;
    const values = rows.formulas.map((formula) => frames.formula(formula));
    const { holonomic } = rows.planned.block;
    const phiDot = holonomic ? calculus.along(values, frames.motion()) : values;
    const second = calculus.along(phiDot, frames.motion());
    const columns = rows.planned.bodies.map((body) =>
      six((j) =>
        calculus.along(values, holonomic ? frames.displacement(body, j) : frames.velocity(body, j)),
      ),
    );
    return {
      ...rows,
      phi: holonomic ? values : [],
      phiDot,
      gamma: second.map((node) => algebra.negative(node)),
      jacobian: values.map((_, row) => columns.map((of) => of.map((column) => column[row]!))),
    };
  }

  /** Functions for every state. */
  specs(): FunctionSpec[] {
    const { phi, phiDot, gamma, jacobian } = this.#segments;
    const at = (address: Address, first: number, nodes: readonly Node[]): Output[] =>
      nodes.map((node, i) => ({ node, place: { offset: address + 8 * (first + i) } }));
    const each = (outputs: (rows: RowNodes) => Output[]) => this.rows.flatMap(outputs);
    return [
      this.spec("laws", this.#laws()),
      ...this.#plan.model.userForces.map(({ formulas }, index) =>
        this.spec(`force${index}`, formulas ? this.#loads(index, formulas) : []),
      ),
      this.spec(
        "rowValues",
        each((rows) => at(phi.address, rows.planned.firstRow, rows.phi)),
      ),
      this.spec(
        "rowJacobian",
        each((rows) =>
          rows.jacobian.flatMap((of, row) =>
            of.flatMap((nodes, body) =>
              at(jacobian.address, rows.slots[body]! + BODY_VELOCITIES * row, nodes),
            ),
          ),
        ),
      ),
      this.spec(
        "rowRates",
        each((rows) => [
          ...at(phiDot.address, rows.planned.firstRow, rows.phiDot),
          ...at(gamma.address, rows.planned.firstRow, rows.gamma),
        ]),
      ),
    ];
  }

  spec(name: string, outputs: readonly Output[], parameters = 0): FunctionSpec {
    return { name, parameters, outputs, slot: this.frames.slot };
  }

  /** The address of a constant of a force. */
  constant(force: number, slot: number): Address {
    return this.#segments.data.address + 8 * (this.#plan.forceSlots[force]! + slot);
  }

  #laws(): Output[] {
    const { calculus } = this.frames;
    return this.#plan.model.forces.flatMap(({ kind, formulas = [] }, index) =>
      formulas.flatMap(({ slot, formula }) => {
        const node = this.frames.formula(formula);
        const value = { node, place: { offset: this.constant(index, slot) } };
        if (kind !== ForceKind.TYRE) return [value];
        // A road also moves up and down for its wheel.
        const [rate] = calculus.along([node], this.frames.motion()) as [Node];
        return [value, { node: rate, place: { offset: this.constant(index, TyreData.RATE) } }];
      }),
    );
  }

  /** Adds the loads of a user force: F at the origin, so that its torque about the centre is T - arm x F. */
  #loads(index: number, formulas: readonly MeasuredFormula[]): Output[] {
    const { bodies } = this.#plan.model.userForces[index]!;
    const { algebra } = this.frames.calculus;
    return bodies.flatMap((body, i) => {
      const load = this.load(body, formulas.slice(6 * i, 6 * (i + 1)));
      return load.map((node, j) => {
        const place = {
          offset: this.#segments.forces.address + 8 * (BODY_VELOCITIES * body + j),
        };
        return { node: algebra.sum(this.frames.at(place), node), place };
      });
    });
  }

  /** Six components on a body, as coordinates have them, of a force at its origin and a torque in the world. */
  load(body: number, formulas: readonly MeasuredFormula[]): Node[] {
    const { frames } = this;
    const { algebra } = frames.calculus;
    const nodes = formulas.map((formula) => frames.formula(formula));
    const force = [nodes[0]!, nodes[1]!, nodes[2]!] as const;
    const { centre } = this.#plan.model.bodies[body]!;
    const arm = frames.direction(body, centre);
    const moment = frames.cross(arm, force);
    const torque = [0, 1, 2].map((i) => algebra.difference(nodes[3 + i]!, moment[i]!));
    const about = frames
      .frame(body)
      .axes.map((axis) => frames.dot(axis, [torque[0]!, torque[1]!, torque[2]!]));
    return [...force, ...about];
  }

  /** Loads on bodies for a unit of a constant of a law: Q = direction x constant + terms independent of it. */
  directions({ kind, a, b, flag }: ForceData, slot: number): Map<number, readonly Node[]> {
    const { frames } = this;
    const { calculus } = frames;
    const { model } = this.#plan;
    const ofMarker = (marker: number) => model.markers[marker]!.body;
    if (kind === ForceKind.SPRING || kind === ForceKind.SENSOR_SPRING) {
      const input =
        kind === ForceKind.SPRING ? lengthInput(a, b, false) : sensorInput(a, false, model);
      const value = frames.input(input);
      const ends = kind === ForceKind.SPRING ? [a, b] : [model.sensors[a]!.a, model.sensors[a]!.b];
      return this.#displaced(value, ends);
    }
    if (kind === ForceKind.BUSHING) {
      // The power of a component is that of the motion it acts on: f x', m z'.
      const turns = slot >= BushingData.TURN_FORCE;
      const axis = slot - (turns ? BushingData.TURN_FORCE : BushingData.FORCE);
      const pushed = { kind: turns ? "turned" : "seen", a, b, axis, isRate: false } as const;
      return this.#displaced(frames.input(pushed), [a, b]);
    }
    const body = ofMarker(a);
    const { zero, one } = calculus.algebra;
    const [x, y, z] = [0, 1, 2].map((i) => (i === slot ? one : zero)) as [Node, Node, Node];
    const axis = flag === 1 ? frames.markerAxis(a, slot) : ([x, y, z] as const);
    if (kind === ForceKind.TORQUE) {
      const about = frames.frame(body).axes.map((own) => frames.dot(own, axis));
      return new Map([[body, [zero, zero, zero, ...about]]]);
    }
    const point = frames.markerPoint(a);
    const moved = (j: number) => calculus.along(point, frames.displacement(body, j));
    return new Map([
      [
        body,
        six((j) => {
          const [dx, dy, dz] = moved(j) as [Node, Node, Node];
          return frames.dot([dx, dy, dz], axis);
        }),
      ],
    ]);
  }

  /** Derivatives of a value with respect to the displacements of the bodies of two markers. */
  #displaced(value: Node, ends: readonly number[]): Map<number, readonly Node[]> {
    const { frames } = this;
    const bodies = ends
      .map((marker) => this.#plan.model.markers[marker]!.body)
      .filter((body) => body >= 0);
    return new Map(
      bodies.map((body) => [
        body,
        six((j) => frames.calculus.along([value], frames.displacement(body, j))[0]!),
      ]),
    );
  }
}

/** Creates one element for each velocity of a body. */
function six<SharedPrograms>(make: (j: number) => SharedPrograms): SharedPrograms[] {
  return Array.from({ length: BODY_VELOCITIES }, (_, j) => make(j));
}

function rowsOf({ blocks, sparse }: Plan): FormulaRows[] {
  return blocks.flatMap((planned, index) => {
    const formulas = planned.block.user?.formulas;
    return formulas ? [{ planned, formulas, slots: sparse.jacobianSlotOf[index] ?? [] }] : [];
  });
}

// Analytic derivatives of laws, forces and rows by formulas, for implicit methods.
//
// A law whose value f is a formula acts along a direction d: Q = f d. Kernels compute f (dd/dx), with f held. The
// other terms, d (df/dx)^T and d (df/dv)^T, are added here, for all bodies that f reads. All terms of user forces are
// added here.

/** Addresses of the block of a pair of bodies in the stiffness and in the damping. */
type BlockPlace = (row: number, column: number) => readonly [Address, Address];

/** Functions that compute derivatives: `derive` before the kernels, `add` (multipliers) and `rows` after them. */
function derivativeSpecs(plan: Plan, formulas: FormulaGraph, at: BlockPlace): FunctionSpec[] {
  return [
    formulas.spec("derive", roadSlopes(plan, formulas)),
    formulas.spec("add", new TermSums(plan, formulas, at).outputs(), 1),
    formulas.spec(
      "rows",
      formulas.rows.flatMap((rows) => rowDerivatives(formulas, rows)),
      4,
    ),
  ];
}

/** Slopes of roads, and of the rates at which they rise: dh/dx and its derivative along the motion. */
function roadSlopes({ model }: Plan, formulas: FormulaGraph): Output[] {
  const { frames } = formulas;
  const { calculus } = frames;
  return model.forces.flatMap(({ kind, a, b, formulas: own = [] }, index) => {
    if (kind !== ForceKind.TYRE) return [];
    return own.flatMap(({ formula }) => {
      const height = frames.formula(formula);
      return [0, 1].flatMap((axis) => {
        const seen = frames.input({ kind: "seen", a, b, axis, isRate: false });
        const along = new Map([[seen, calculus.algebra.one]]);
        const slope = calculus.along([height], along)[0]!;
        const rate = calculus.along([slope], frames.motion())[0]!;
        const place = (slot: number) => ({ offset: formulas.constant(index, slot + axis) });
        return [
          { node: slope, place: place(TyreData.SLOPES) },
          { node: rate, place: place(TyreData.RATE_SLOPES) },
        ];
      });
    });
  });
}

/** Accumulates the terms added to each value. */
class TermSums {
  readonly #plan: Plan;
  readonly #formulas: FormulaGraph;
  readonly #at: BlockPlace;
  readonly #sums = new Map<Address, Node>();

  constructor(plan: Plan, formulas: FormulaGraph, at: BlockPlace) {
    this.#plan = plan;
    this.#formulas = formulas;
    this.#at = at;
    this.#addLaws();
    this.#addForces();
    this.#addStates();
    for (const rows of formulas.rows) this.#addRows(rows);
  }

  outputs(): Output[] {
    const { frames } = this.#formulas;
    const { algebra } = frames.calculus;
    return [...this.#sums].map(([offset, node]) => ({
      node: algebra.apply(Operation.Add, frames.at({ offset }), node),
      place: { offset },
    }));
  }

  /** Entry (i, j) of the block of two bodies. */
  #add(row: number, column: number, i: number, j: number, part: 0 | 1, node: Node): void {
    if (isConstant(node, 0)) return;
    const offset = this.#at(row, column)[part] + 8 * (BODY_VELOCITIES * j + i);
    const before = this.#sums.get(offset);
    const { algebra } = this.#formulas.frames.calculus;
    this.#sums.set(offset, before ? algebra.sum(before, node) : node);
  }

  #addLaws(): void {
    const { forces, markers } = this.#plan.model;
    const { frames } = this.#formulas;
    const { algebra } = frames.calculus;
    for (const force of forces) {
      if (force.kind === ForceKind.TYRE) continue;
      for (const { slot, formula } of force.formulas ?? []) {
        const value = frames.formula(formula);
        const directions = this.#formulas.directions(force, slot);
        for (const column of bodiesRead(formula, markers)) {
          this.#eachDerivative([value], column, (j, part, [slope]) => {
            if (isConstant(slope!, 0)) return;
            for (const [row, direction] of directions) {
              direction.forEach((along, i) => {
                this.#add(row, column, i, j, part, algebra.product(along, slope!));
              });
            }
          });
        }
      }
    }
  }

  #addForces(): void {
    const { userForces, markers } = this.#plan.model;
    for (const { bodies, formulas } of userForces) {
      if (!formulas) continue;
      bodies.forEach((row, index) => {
        const own = formulas.slice(6 * index, 6 * (index + 1));
        const load = this.#formulas.load(row, own);
        // Torques are in the axes of the body, and change when it rotates.
        const columns = new Set([row, ...own.flatMap((one) => bodiesRead(one, markers))]);
        for (const column of columns) {
          this.#eachDerivative(load, column, (j, part, slopes) => {
            slopes.forEach((slope, i) => {
              this.#add(row, column, i, j, part, slope);
            });
          });
        }
      });
    }
  }

  /** Rates are forces on the auxiliary bodies of states. */
  #addStates(): void {
    const { model } = this.#plan;
    for (const [set, { formulas = [] }] of model.states.entries()) {
      formulas.forEach((formula, index) => {
        const [row, axis] = auxiliaryBodyOf(model, firstState(model, set) + index);
        const value = this.#formulas.frames.formula(formula);
        for (const column of bodiesRead(formula, model.markers)) {
          this.#eachDerivative([value], column, (j, part, [slope]) => {
            this.#add(row, column, axis, j, part, slope!);
          });
        }
      });
    }
  }

  /** d(J^T lambda)/dx, and d(J^T lambda)/dv of rows that are not linear; the multipliers follow the first address. */
  #addRows({ planned, jacobian }: RowNodes): void {
    const { frames } = this.#formulas;
    const { calculus } = frames;
    const { algebra } = calculus;
    const { bodies, firstRow } = planned;
    const multipliers = jacobian.map((_, row) =>
      frames.at({ parameter: 0, offset: 8 * (firstRow + row) }),
    );
    bodies.forEach((row, index) => {
      const load = six((i) =>
        jacobian.reduce(
          (sum, of, r) => algebra.sum(sum, algebra.product(multipliers[r]!, of[index]![i]!)),
          algebra.zero,
        ),
      );
      for (const column of bodies) {
        this.#eachDerivative(load, column, (j, part, slopes) => {
          slopes.forEach((slope, i) => {
            this.#add(row, column, i, j, part, slope);
          });
        });
      }
    });
  }

  /** Derivatives by all displacements and velocities of a body. */
  #eachDerivative(
    nodes: readonly Node[],
    body: number,
    take: (j: number, part: 0 | 1, slopes: readonly Node[]) => void,
  ): void {
    const { frames } = this.#formulas;
    for (let j = 0; j < BODY_VELOCITIES; j++) {
      take(j, 0, frames.calculus.along(nodes, frames.displacement(body, j)));
      take(j, 1, frames.calculus.along(nodes, frames.velocity(body, j)));
    }
  }
}

/** The matrices of `bodyRowDerivatives`, at the offsets of the Jacobian; accelerations follow the first address. */
function rowDerivatives(formulas: FormulaGraph, rows: RowNodes): Output[] {
  const { frames } = formulas;
  const { calculus } = frames;
  const { algebra } = calculus;
  const { planned, phiDot, gamma, jacobian, slots } = rows;
  const { bodies } = planned;
  const accelerations = bodies.map((body) =>
    six((i) => frames.at({ parameter: 0, offset: 8 * (BODY_VELOCITIES * body + i) })),
  );
  const rest = gamma.map((node, row) =>
    bodies.reduce(
      (sum, _, index) =>
        accelerations[index]!.reduce(
          (left, a, i) => algebra.difference(left, algebra.product(jacobian[row]![index]![i]!, a)),
          sum,
        ),
      node,
    ),
  );
  return bodies.flatMap((body, index) =>
    six((j) => {
      const displaced = frames.displacement(body, j);
      const columns = [
        calculus.along(phiDot, displaced),
        calculus.along(rest, displaced),
        // J depends on velocities only if rows are not linear in them.
        calculus.along(rest, frames.velocity(body, j)),
      ];
      return columns.flatMap((nodes, which) =>
        nodes.map((node, row) => ({
          node,
          place: { parameter: 1 + which, offset: 8 * (slots[index]! + BODY_VELOCITIES * row + j) },
        })),
      );
    }).flat(),
  );
}

/** Graphs and code are created once for all systems of a model with the same memory layout. */
interface SharedPrograms {
  readonly graph: FormulaGraph;
  readonly specs: readonly FunctionSpec[];
  readonly modules: Map<string, FormulaModule>;
}

const made = new WeakMap<ModelData, Map<string, SharedPrograms>>();

/** A value that a formula writes, and its owner. */
interface Watched {
  readonly where: string;
  readonly formula: MeasuredFormula;
  readonly address: Address;
}

/** Functions of forces in WebAssembly, without parameters or results, that kernels call. */
export interface LawFunctions {
  /** Write the constants of laws. */
  readonly laws: readonly CallableFunction[];
  /** Add the load of each user force. */
  readonly loads: readonly CallableFunction[];
  /** Addresses of constants that formulas write. */
  readonly values: readonly Address[];
  /** Its first slot holds the time. */
  readonly time: Segment;
}

/** The derivatives that implicit methods add. */
export interface FormulaDerivatives {
  /** Call before kernels differentiate forces. */
  derive(): void;
  /** Call after kernels have differentiated forces. */
  add(multipliers: Address): void;
  /** Derivatives of rows. */
  rows(accelerations: Address, rate: Address, bias: Address, gyro: Address): void;
}

/** Laws by formulas of a system. */
export class FormulaLaws {
  readonly #plan: Plan;
  readonly #workspace: Workspace;
  readonly #numbers: Segment;
  readonly #made: SharedPrograms;
  readonly #laws: readonly Watched[];
  readonly #rows: readonly Watched[];
  readonly #forces: readonly (readonly MeasuredFormula[] | undefined)[];
  #functions: FormulaFunctions = {};
  /** Time, then parameters. */
  #values = new Float64Array(1);
  #memory = new Float64Array(0);
  readonly #loads: Segment;
  readonly #isCompiled: () => boolean;

  constructor(plan: Plan, workspace: Workspace, segments: BodySegments) {
    this.#plan = plan;
    this.#workspace = workspace;
    this.#loads = segments.forces;
    const { model } = plan;
    this.#numbers = workspace.reserve("numbers of formulas", 1 + parametersOf(model).size);
    this.#made = madeFor(plan, segments, this.#numbers.address);
    const { graph, specs } = this.#made;
    this.#laws = model.forces.flatMap(({ name, type, formulas = [] }, index) =>
      formulas.map(({ slot, formula }) => ({
        where: label(type, name),
        formula,
        address: graph.constant(index, slot),
      })),
    );
    this.#rows = graph.rows.flatMap(({ planned, formulas }) =>
      formulas.map((formula, row) => ({
        where: label("constraint", model.joints[planned.joint]!.name),
        formula,
        address:
          (planned.block.holonomic ? segments.phi : segments.phiDot).address +
          8 * (planned.firstRow + row),
      })),
    );
    this.#forces = model.userForces.map(({ formulas }) => formulas);
    const module = this.#module("states", specs);
    this.#isCompiled = () => module().isCompiled;
    workspace.whenSealed((arena) => {
      this.#memory = new Float64Array(arena.memory.buffer as ArrayBuffer);
      this.#functions = module().in(arena);
      this.#values = arena.floats(this.#numbers);
      this.adopt(plan);
    });
  }

  get hasRows(): boolean {
    return this.#rows.length > 0;
  }

  /** Adopts the parameters of a plan that is otherwise equal. */
  adopt({ model }: Plan): void {
    this.#values.set([...parametersOf(model).values()], 1);
  }

  /** Compiles code for memory that is reserved now, on first use. */
  #module(name: string, specs: readonly FunctionSpec[]): () => FormulaModule {
    const scratch = this.#workspace.reserve(`scratch of formulas: ${name}`, scratchSlots(specs));
    const { modules } = this.#made;
    const key = `${name} ${scratch.address} ${specs.flatMap(({ outputs }) => outputs[0]?.place.offset ?? 0).join()}`;
    return () => {
      const module = modules.get(key) ?? new FormulaModule(specs, scratch);
      modules.set(key, module);
      return module;
    };
  }

  /** Functions of laws and of user forces by formulas, for kernels; undefined if the host forbids compilation. */
  kernelFunctions(): LawFunctions | undefined {
    if (!this.#isCompiled()) return undefined;
    const { laws } = this.#functions;
    return {
      laws: this.#laws.length > 0 ? [laws!] : [],
      loads: this.#forces.map((_, index) => this.#functions[`force${index}`]!),
      values: this.#laws.map(({ address }) => address),
      time: this.#numbers,
    };
  }

  /** Evaluates constants of laws. Frames hold velocities. */
  run(t: number): void {
    if (this.#laws.length === 0) return;
    this.#values[0] = t;
    this.#functions.laws!();
    this.#check(this.#laws, t);
  }

  #check(list: readonly Watched[], t: number): void {
    for (let i = 0; i < list.length; i++) {
      const { address, where, formula } = list[i]!;
      const value = this.#memory[address / 8]!;
      if (Number.isFinite(value)) continue;
      throw new NodriftError(
        "EVALUATION",
        `${where}: the formula ${shortened(formula.text)} is ${value} at t = ${t}`,
      );
    }
  }

  /** Adds the load of a user force by formulas; returns false if it is not one. */
  addForce(index: number, t: number): boolean {
    if (!this.#forces[index]) return false;
    this.#values[0] = t;
    this.#functions[`force${index}`]!();
    this.#checkLoads(index, t);
    return true;
  }

  #checkLoads(index: number, t: number): void {
    const { name, bodies } = this.#plan.model.userForces[index]!;
    for (let i = 0; i < bodies.length; i++) {
      const first = this.#loads.address / 8 + 6 * bodies[i]!;
      let sum = 0;
      for (let j = 0; j < 6; j++) sum += this.#memory[first + j]!;
      if (Number.isFinite(sum)) continue;
      const body = this.#plan.model.bodies[bodies[i]!]!.name;
      throw new NodriftError(
        "EVALUATION",
        `${label("userForce", name)}: the load of "${body}" is not finite at t = ${t}`,
      );
    }
  }

  evaluateRows(t: number, jacobian: boolean, rates: boolean): void {
    this.#values[0] = t;
    this.#functions.rowValues!();
    if (jacobian) this.#functions.rowJacobian!();
    if (rates) this.#functions.rowRates!();
    this.#check(this.#rows, t);
  }

  /** Reserves the memory of derivatives, with the blocks to which they are added. */
  derivatives(at: BlockPlace): FormulaDerivatives {
    const specs = derivativeSpecs(this.#plan, this.#made.graph, at);
    const module = this.#module("derivatives", specs);
    let functions: FormulaFunctions | undefined;
    let arena: Arena | undefined;
    this.#workspace.whenSealed((sealed) => {
      arena = sealed;
    });
    const ready = () => {
      functions ??= module().in(arena!);
      return functions;
    };
    return {
      derive: () => void ready().derive!(),
      add: (multipliers) => void ready().add!(multipliers),
      rows: (...addresses) => void ready().rows!(...addresses),
    };
  }
}

function madeFor(plan: Plan, segments: BodySegments, numbers: Address): SharedPrograms {
  const known = made.get(plan.model) ?? new Map<string, SharedPrograms>();
  made.set(plan.model, known);
  const key = [...Object.values(segments).map(({ address }) => address), numbers].join();
  const found = known.get(key);
  if (found) return found;
  const graph = new FormulaGraph(plan, segments, numbers);
  const fresh = { graph, specs: graph.specs(), modules: new Map() };
  known.set(key, fresh);
  return fresh;
}

const MAX_LISTED_LENGTH = 60;

function shortened(text: string): string {
  return text.length <= MAX_LISTED_LENGTH
    ? `"${text}"`
    : `"${text.slice(0, MAX_LISTED_LENGTH)}..."`;
}
