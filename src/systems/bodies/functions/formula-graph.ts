// Formulas of a mechanism over its memory: what is evaluated at every state.

import {
  BODY_VELOCITIES,
  BushingData,
  ForceKind,
  SensorEntry,
  TyreData,
} from "../../../../assembly/layout-bodies.js";
import type { FunctionSpec, Output } from "../../../describe/compiled/function-spec.js";
import type { Node } from "../../../describe/expressions/graph.js";
import { FrameGraph } from "../../../describe/measured/frame-graph.js";
import {
  lengthInput,
  sensorInput,
  usedInputs,
} from "../../../describe/measured/measured-formula.js";
import type { MeasuredFormula } from "../../../describe/model/formula-data.js";
import type { ForceData, ModelData } from "../../../describe/model/model-data.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { BodySegments } from "../memory/memory.js";
import type { Plan } from "../plan/plan.js";
import type { PlannedBlock } from "../plan/table-builder.js";

/** Every formula of a model, with those of its parts that are evaluated at every state. */
export function formulasOf(model: ModelData): readonly MeasuredFormula[] {
  const { forces, userForces, joints, states } = model;
  return [
    ...states.flatMap(({ formulas = [] }) => formulas),
    ...forces.flatMap((force) => (force.formulas ?? []).map(({ formula }) => formula)),
    ...userForces.flatMap(({ formulas = [] }) => formulas),
    ...joints.flatMap(({ blocks }) => blocks.flatMap(({ user }) => user?.formulas ?? [])),
  ];
}

/** Parameters that formulas read, by name. */
export function parametersOf(model: ModelData): ReadonlyMap<string, number> {
  return new Map(
    formulasOf(model)
      .flatMap(usedInputs)
      .flatMap((input) => (input.kind === "parameter" ? [[input.name, input.value] as const] : [])),
  );
}

/** Rows by formulas of one block. */
export interface FormulaRows {
  readonly planned: PlannedBlock;
  readonly formulas: readonly MeasuredFormula[];
  /** Slots of its blocks of the Jacobian, one for each body. */
  readonly slots: readonly number[];
}

/** Nodes of rows. */
export interface RowNodes extends FormulaRows {
  /** Of rows on positions. */
  readonly phi: readonly Node[];
  readonly phiDot: readonly Node[];
  readonly gamma: readonly Node[];
  /** For each row and body six. */
  readonly jacobian: readonly (readonly (readonly Node[])[])[];
}

export class FormulaGraph {
  readonly frames: FrameGraph;
  readonly rows: readonly RowNodes[];
  readonly #plan: Plan;
  readonly #segments: BodySegments;

  /** `numbers` is where the time and then the parameters lie. */
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

  /** Loads on bodies for a unit of a constant of a law: Q = direction x constant + what does not depend on it. */
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
      // The power of a component is that of what it pushes: f x', m z'.
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

  /** How a number changes with the displacements of the bodies of two markers. */
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

/** One for each velocity of a body. */
export function six<Made>(make: (j: number) => Made): Made[] {
  return Array.from({ length: BODY_VELOCITIES }, (_, j) => make(j));
}

function rowsOf({ blocks, sparse }: Plan): FormulaRows[] {
  return blocks.flatMap((planned, index) => {
    const formulas = planned.block.user?.formulas;
    return formulas ? [{ planned, formulas, slots: sparse.jacobianSlotOf[index] ?? [] }] : [];
  });
}
