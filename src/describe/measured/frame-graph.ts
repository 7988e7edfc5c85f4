// Formulas of a mechanism as graphs over the frames of its bodies in memory, and their derivatives.
//
// All that a formula can measure is made of R, r, v and omega of bodies: a point is r + R s, an angle
// atan2 of products of axes. So there is one way to differentiate for all quantities: forward, along a direction in
// which frames change. With displacements and velocities of bodies as everywhere, six numbers each, linear in the
// world and angular in the body,
//
//   moving by e_i:        r' = e_i
//   turning about e_k:    R' = R [e_k]x (columns change places),   omega' = (R e_k) x omega   (R^T omega is held)
//   velocity along e_i:   v' = e_i;    angular about e_k:   omega' = R e_k
//   along the motion:     r' = v,  R' = omega x R,  t' = 1,  v' = omega' = 0: velocities are constant in their components.
//
// Rejected: chain rules by hand for each quantity over the Jacobians of markers and sensors. They are what kernels have, row by
// row; second and third derivatives of all pairs of quantities, which implicit methods need of rows, would be a page each.

import { AngleData, BodyFrame, SensorKind } from "../../../assembly/layout-bodies.js";
import { column, type Vector } from "../../ground/algebra/vectors.js";
import { NodriftError } from "../../ground/errors.js";
import { Calculus } from "../compiled/calculus.js";
import type { Place } from "../compiled/function-spec.js";
import { copyInto, Graph, type Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
import type { MeasuredFormula, MeasuredInput } from "../model/formula-data.js";
import { GROUND, type ModelData } from "../model/model-data.js";
import { usedInputs } from "./measured-formula.js";
import { type Three, turned } from "./turned.js";

/** Where a system keeps what formulas read: addresses. */
export interface FrameMemory {
  readonly frames: number;
  readonly time: number;
  /** AngleData of a sensor. */
  reference(sensor: number): number;
  parameter(name: string): number;
}

/** A body's frame as nodes. */
interface Frame {
  /** Columns of R. */
  readonly axes: readonly [Three, Three, Three];
  readonly omega: Three;
  readonly point: Three;
  readonly velocity: Three;
}

/** Rates of slots along a direction. */
export type Direction = ReadonlyMap<Node, Node>;

/** Nodes that all formulas of a mechanism may have together. */
const MOST = 2_000_000;
const TURN = 6.283185307179586;

export class FrameGraph {
  readonly graph = new Graph();
  readonly calculus: Calculus;
  readonly #model: Pick<ModelData, "bodies" | "markers">;
  readonly #memory: FrameMemory;
  readonly #places: Place[] = [];
  readonly #slots = new Map<string, Node>();
  readonly #frames = new Map<number, Frame>();
  readonly #inputs = new Map<string, Node>();
  readonly #time: Node;

  constructor(model: Pick<ModelData, "bodies" | "markers">, memory: FrameMemory) {
    this.#model = model;
    this.#memory = memory;
    this.calculus = new Calculus(this.graph, () => {
      if (this.graph.size <= MOST) return;
      throw new NodriftError(
        "DESCRIPTION",
        "the formulas of the model are too large together: use fewer or shorter ones",
      );
    });
    this.#time = this.at({ offset: memory.time });
  }

  /** Where the numbers lie that slots stand for. */
  readonly slot = (index: number): Place => this.#places[index]!;

  /** A number in memory. */
  at(place: Place): Node {
    const key = `${place.parameter ?? ""} ${place.offset}`;
    const known = this.#slots.get(key) ?? this.graph.slot(this.#places.push(place) - 1);
    this.#slots.set(key, known);
    return known;
  }

  /** A formula over the frames. */
  formula(formula: MeasuredFormula): Node {
    const used = new Set(usedInputs(formula));
    const slots = formula.inputs.map((input) =>
      used.has(input) ? this.input(input) : this.calculus.algebra.zero,
    );
    return copyInto(this.graph, formula.parts, slots);
  }

  /** What an input is made of. */
  input(input: MeasuredInput): Node {
    const key = JSON.stringify(input);
    const known = this.#inputs.get(key) ?? this.#made(input);
    this.#inputs.set(key, known);
    return known;
  }

  #made(input: MeasuredInput): Node {
    switch (input.kind) {
      case "time":
        return this.#time;
      case "parameter":
        return this.at({ offset: this.#memory.parameter(input.name) });
      case "position":
        return this.point(input.body, input.point)[input.axis]!;
      case "velocity":
        return this.#velocity(input.body, input.point)[input.axis]!;
      case "speed": {
        const v = this.#velocity(input.body, input.point);
        return this.graph.apply(Operation.SquareRoot, this.dot(v, v));
      }
      case "direction":
        return this.direction(input.body, input.direction)[input.axis]!;
      case "angularVelocity":
        return this.frame(input.body).omega[input.axis]!;
      case "sensor": {
        const value = this.#sensor(input.sensor, input.a, input.b, input.index);
        return input.isRate ? this.calculus.along([value], this.motion())[0]! : value;
      }
      case "state":
        throw new NodriftError(
          "DESCRIPTION",
          `the state "${input.own}" has no body that carries it`,
        );
      case "seen": {
        const axis = this.markerAxis(input.a, input.axis);
        const value = this.dot(axis, this.#between(input.a, input.b));
        return input.isRate ? this.calculus.along([value], this.motion())[0]! : value;
      }
      case "turned":
        return turned(this, input.a, input.b, input.isRate)[input.axis]!;
    }
  }

  /** A point given in the body's frame. */
  point(body: number, local: Vector): Three {
    const arm = this.direction(body, this.#fromCentre(body, local));
    return this.#add(this.frame(body).point, arm);
  }

  #velocity(body: number, local: Vector): Three {
    const { velocity, omega } = this.frame(body);
    return this.#add(
      velocity,
      this.cross(omega, this.direction(body, this.#fromCentre(body, local))),
    );
  }

  /** The origin of frames in memory is the centre of mass. */
  #fromCentre(body: number, local: Vector): Vector {
    if (body === GROUND) return local;
    const { centre } = this.#model.bodies[body]!;
    return [local[0] - centre[0], local[1] - centre[1], local[2] - centre[2]];
  }

  /** R s. */
  direction(body: number, s: Vector): Three {
    const { algebra } = this.calculus;
    const { axes } = this.frame(body);
    const along = (i: number) =>
      s.reduce(
        (sum, factor, j) => algebra.sum(sum, algebra.scaled(factor, axes[j]![i]!)),
        algebra.zero,
      );
    return [along(0), along(1), along(2)];
  }

  markerPoint(marker: number): Three {
    const { body, point } = this.#model.markers[marker]!;
    return this.point(body, point);
  }

  /** An axis of a marker. */
  markerAxis(marker: number, axis: number): Three {
    const { body, axes } = this.#model.markers[marker]!;
    return this.direction(body, column(axes, axis));
  }

  /** Of the body of a marker. */
  markerOmega(marker: number): Three {
    return this.frame(this.#model.markers[marker]!.body).omega;
  }

  #between(a: number, b: number): Three {
    const { algebra } = this.calculus;
    const [from, to] = [this.markerPoint(a), this.markerPoint(b)];
    const part = (i: number) => algebra.difference(to[i]!, from[i]!);
    return [part(0), part(1), part(2)];
  }

  /** As kernels measure it: assembly/constraints/angle.ts, displacement.ts, length.ts. */
  #sensor(kind: SensorKind, a: number, b: number, index: number | undefined): Node {
    if (kind === SensorKind.LENGTH) {
      const d = this.#between(a, b);
      return this.graph.apply(Operation.SquareRoot, this.dot(d, d));
    }
    if (kind === SensorKind.DISPLACEMENT) {
      return this.dot(this.markerAxis(a, 2), this.#between(a, b));
    }
    const turned = this.markerAxis(b, 0);
    const s = this.dot(this.markerAxis(a, 1), turned);
    const c = this.dot(this.markerAxis(a, 0), turned);
    const angle = this.graph.apply(Operation.Atan2, s, c);
    const [accepted, change] = [AngleData.ACCEPTED, AngleData.CHANGE].map((slot) =>
      this.at({ offset: this.#memory.reference(index!) + 8 * slot }),
    );
    return this.#continued(angle, this.graph.apply(Operation.Add, accepted!, change!));
  }

  /** The angle that differs by turns and is nearest to a reference. Turns have no derivative. */
  #continued(angle: Node, reference: Node): Node {
    const { graph } = this;
    const apply = (operation: Operation, ...operands: Node[]) =>
      graph.apply(operation, ...operands);
    const [turn, half] = [graph.constant(TURN), graph.constant(0.5)];
    const turns = apply(Operation.Divide, apply(Operation.Subtract, reference, angle), turn);
    // Half turns go towards zero, so that an angle of -pi stays what it is.
    const rounded = apply(
      Operation.Select,
      apply(Operation.Less, graph.constant(0), turns),
      apply(Operation.Ceil, apply(Operation.Subtract, turns, half)),
      apply(Operation.Floor, apply(Operation.Add, turns, half)),
    );
    return apply(Operation.Add, angle, apply(Operation.Multiply, turn, rounded));
  }

  frame(body: number): Frame {
    const known = this.#frames.get(body) ?? this.#newFrame(body);
    this.#frames.set(body, known);
    return known;
  }

  #newFrame(body: number): Frame {
    const { zero, one } = this.calculus.algebra;
    if (body === GROUND) {
      const nothing = [zero, zero, zero] as const;
      const axes = [
        [one, zero, zero],
        [zero, one, zero],
        [zero, zero, one],
      ] as const;
      return { axes, omega: nothing, point: nothing, velocity: nothing };
    }
    const base = this.#memory.frames + 8 * BodyFrame.LENGTH * body;
    const three = (field: number): Three => [
      this.at({ offset: base + 8 * field }),
      this.at({ offset: base + 8 * (field + 1) }),
      this.at({ offset: base + 8 * (field + 2) }),
    ];
    const { ROTATION, OMEGA, POINT, VELOCITY } = BodyFrame;
    return {
      axes: [three(ROTATION), three(ROTATION + 3), three(ROTATION + 6)],
      omega: three(OMEGA),
      point: three(POINT),
      velocity: three(VELOCITY),
    };
  }

  /** Displacement j of a body: along the axes of the world, then about its own. */
  displacement(body: number, j: number): Direction {
    const { algebra } = this.calculus;
    const { axes, omega, point } = this.frame(body);
    if (j < 3) return new Map([[point[j]!, algebra.one]]);
    const k = j - 3;
    const rates = new Map<Node, Node>();
    // e_k x e_(k+1) = e_(k+2), e_k x e_(k+2) = -e_(k+1).
    const [next, last] = [axes[(k + 1) % 3]!, axes[(k + 2) % 3]!];
    for (let i = 0; i < 3; i++) {
      rates.set(next[i]!, last[i]!);
      rates.set(last[i]!, algebra.negative(next[i]!));
    }
    const turned = this.cross(axes[k]!, omega);
    for (let i = 0; i < 3; i++) rates.set(omega[i]!, turned[i]!);
    return rates;
  }

  /** Velocity j of a body. */
  velocity(body: number, j: number): Direction {
    const { axes, omega, velocity } = this.frame(body);
    if (j < 3) return new Map([[velocity[j]!, this.calculus.algebra.one]]);
    return new Map(omega.map((slot, i) => [slot, axes[j - 3]![i]!]));
  }

  /** The motion of all bodies that were asked for, at constant velocities. */
  motion(): Direction {
    const rates = new Map<Node, Node>([[this.#time, this.calculus.algebra.one]]);
    for (const [body, { axes, omega, point, velocity }] of this.#frames) {
      if (body === GROUND) continue;
      for (const axis of axes) {
        const rate = this.cross(omega, axis);
        for (let i = 0; i < 3; i++) rates.set(axis[i]!, rate[i]!);
      }
      for (let i = 0; i < 3; i++) rates.set(point[i]!, velocity[i]!);
    }
    return rates;
  }

  dot(a: Three, b: Three): Node {
    const { algebra } = this.calculus;
    return a.reduce((sum, x, i) => algebra.sum(sum, algebra.product(x, b[i]!)), algebra.zero);
  }

  cross(a: Three, b: Three): Three {
    const { algebra } = this.calculus;
    const part = (i: number) => {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      return algebra.difference(algebra.product(a[j]!, b[k]!), algebra.product(a[k]!, b[j]!));
    };
    return [part(0), part(1), part(2)];
  }

  #add(a: Three, b: Three): Three {
    const { algebra } = this.calculus;
    return [algebra.sum(a[0], b[0]), algebra.sum(a[1], b[1]), algebra.sum(a[2], b[2])];
  }
}
