// Formulas of a mechanism as graphs over the frames of its bodies in memory, and their derivatives.
//
// All quantities in formulas are functions of R, r, v and omega of bodies: a point is r + R s, an angle atan2 of
// products of axes. So one way of differentiation serves all quantities: forward, along a direction in which frames
// change. Displacements and velocities of bodies are six numbers each as elsewhere, linear in the world and angular
// in the body:
//
//   moving by e_i:        r' = e_i
//   turning about e_k:    R' = R [e_k]x (columns change places),   omega' = (R e_k) x omega   (R^T omega is held)
//   velocity along e_i:   v' = e_i;    angular about e_k:   omega' = R e_k
//   along the motion:     r' = v,  R' = omega x R,  t' = 1,  v' = omega' = 0: velocities are constant in their components.
//
// Rejected: chain rules by hand for each quantity over the Jacobians of markers and sensors. Kernels have these, row
// by row. But implicit methods need second and third derivatives of rows for all pairs of quantities, which would be
// a page each.

import { AngleData, BodyFrame, SensorKind } from "../../../assembly/layout-bodies.js";
import { column, type Vector } from "../../base/algebra/vectors.js";
import { NodriftError } from "../../base/errors.js";
import { Calculus } from "../../formulas/compiled/calculus.js";
import type { Place } from "../../formulas/compiled/function-spec.js";
import { copyInto, Graph, type Node } from "../../formulas/expressions/graph.js";
import { Operation } from "../../formulas/expressions/operations.js";
import type { MeasuredFormula, MeasuredInput } from "../formula-data.js";
import { GROUND, type ModelData } from "../model-data.js";
import { usedInputs } from "./measured-formula.js";

// Rotation of one marker relative to another, as measured by bushings: z = 2 (e1, e2, e3), with the Euler parameters
// e of the axes of B in those of A. As in assembly/forces/bushing-turn.ts, sums of elements of P are products 4 e_i
// e_j. The four with a common large e_i, scaled to length one, are e without cancellation. The sign is chosen so that
// e0 >= 0.
//
// With the angular velocity w of B relative to A in the axes of A, z' = e0 w + w x (e1, e2, e3).
//
// Rejected for z': the derivative of z along the motion, which also differentiates the scaling, and is three times as long.

/** A point or a direction as three nodes. */
type NodeVector = readonly [Node, Node, Node];

/** The part of {@link FrameGraph} that rotations use. */
interface RotationGraph {
  readonly graph: Graph;
  readonly calculus: Calculus;
  dot(a: NodeVector, b: NodeVector): Node;
  cross(a: NodeVector, b: NodeVector): NodeVector;
  markerAxis(marker: number, axis: number): NodeVector;
  markerOmega(marker: number): NodeVector;
}

type Four = readonly [Node, Node, Node, Node];

/** Returns z, or its rate. */
function turned(frames: RotationGraph, a: number, b: number, isRate: boolean): NodeVector {
  const [e0, e1, e2, e3] = parameters(frames, a, b);
  const { algebra } = frames.calculus;
  if (!isRate) return [algebra.scaled(2, e1), algebra.scaled(2, e2), algebra.scaled(2, e3)];
  const [own, other] = [frames.markerOmega(a), frames.markerOmega(b)];
  const part = (i: number) => algebra.difference(other[i]!, own[i]!);
  const between: NodeVector = [part(0), part(1), part(2)];
  const about = (i: number) => frames.dot(frames.markerAxis(a, i), between);
  const w: NodeVector = [about(0), about(1), about(2)];
  const across = frames.cross(w, [e1, e2, e3]);
  const rate = (i: number) => algebra.sum(algebra.product(e0, w[i]!), across[i]!);
  return [rate(0), rate(1), rate(2)];
}

function parameters(frames: RotationGraph, a: number, b: number): Four {
  const { algebra } = frames.calculus;
  const { graph } = frames;
  const one = graph.constant(1);
  const zero = graph.constant(0);
  const p = (i: number, j: number) => frames.dot(frames.markerAxis(a, i), frames.markerAxis(b, j));
  const sum = (...nodes: Node[]) => nodes.reduce((left, right) => algebra.sum(left, right));
  const less = (x: Node, y: Node) => graph.apply(Operation.Less, x, y);
  const either = (condition: Node, yes: Four, no: Four): Four => {
    const part = (i: number) => graph.apply(Operation.Select, condition, yes[i]!, no[i]!);
    return [part(0), part(1), part(2), part(3)];
  };
  const diagonal = [p(0, 0), p(1, 1), p(2, 2)] as const;
  const trace = sum(one, ...diagonal);
  const [x, y, z] = [
    algebra.difference(p(2, 1), p(1, 2)),
    algebra.difference(p(0, 2), p(2, 0)),
    algebra.difference(p(1, 0), p(0, 1)),
  ];
  const [xy, xz, yz] = [sum(p(1, 0), p(0, 1)), sum(p(2, 0), p(0, 2)), sum(p(2, 1), p(1, 2))];
  /** Returns 1 + twice a diagonal element - their sum. */
  const large = (i: number) => {
    const others = diagonal.filter((_, j) => j !== i);
    return others.reduce((left, one) => algebra.difference(left, one), sum(one, diagonal[i]!));
  };
  const [first, second, third] = diagonal;
  const byFirst: Four = [x, large(0), xy, xz];
  const bySecond: Four = [y, xy, large(1), yz];
  const byThird: Four = [z, xz, yz, large(2)];
  const byLater = either(less(second, third), byThird, bySecond);
  // The first is used unless one of the others is larger. Selections are nested, as Less has no "and".
  const bySmall = either(
    less(first, second),
    byLater,
    either(less(first, third), byLater, byFirst),
  );
  const e = either(less(trace, one), bySmall, [trace, x, y, z]);
  const squares = e.map((part) => algebra.product(part, part));
  const length = graph.apply(Operation.SquareRoot, sum(...squares));
  const signed = graph.apply(Operation.Select, less(e[0], zero), algebra.negative(length), length);
  const scaled = (i: number) => graph.apply(Operation.Divide, e[i]!, signed);
  return [scaled(0), scaled(1), scaled(2), scaled(3)];
}

/** Memory addresses of the values that formulas read. */
export interface FrameMemory {
  readonly frames: number;
  readonly time: number;
  /** Address of the AngleData of a sensor. */
  reference(sensor: number): number;
  parameter(name: string): number;
}

/** Frame of a body as nodes. */
interface FrameNodes {
  /** Columns of R. */
  readonly axes: readonly [NodeVector, NodeVector, NodeVector];
  readonly omega: NodeVector;
  readonly point: NodeVector;
  readonly velocity: NodeVector;
}

/** Rates of slots along a direction. */
export type Direction = ReadonlyMap<Node, Node>;

/** Maximum number of nodes of all formulas of a mechanism together. */
const MAX_NODES = 2_000_000;
const TWO_PI = 6.283185307179586;

export class FrameGraph {
  readonly graph = new Graph();
  readonly calculus: Calculus;
  readonly #model: Pick<ModelData, "bodies" | "markers">;
  readonly #memory: FrameMemory;
  readonly #places: Place[] = [];
  readonly #slots = new Map<string, Node>();
  readonly #frames = new Map<number, FrameNodes>();
  readonly #inputs = new Map<string, Node>();
  readonly #motion = new Map<Node, Node>();
  /** Frames of bodies that are not in the motion yet. */
  readonly #still: FrameNodes[] = [];
  readonly #time: Node;

  constructor(model: Pick<ModelData, "bodies" | "markers">, memory: FrameMemory) {
    this.#model = model;
    this.#memory = memory;
    this.calculus = new Calculus(this.graph, () => {
      if (this.graph.size <= MAX_NODES) return;
      throw new NodriftError(
        "DESCRIPTION",
        "the formulas of the model are too large together: use fewer or shorter ones",
      );
    });
    this.#time = this.at({ offset: memory.time });
  }

  /** Locations of the values in slots. */
  readonly slot = (index: number): Place => this.#places[index]!;

  /** Returns the slot of a value in memory. */
  at(place: Place): Node {
    const key = `${place.parameter ?? ""} ${place.offset}`;
    const known = this.#slots.get(key) ?? this.graph.slot(this.#places.push(place) - 1);
    this.#slots.set(key, known);
    return known;
  }

  /** Returns the result of a formula as a node over the frames. */
  formula(formula: MeasuredFormula): Node {
    const used = new Set(usedInputs(formula));
    const slots = formula.inputs.map((input) =>
      used.has(input) ? this.input(input) : this.calculus.algebra.zero,
    );
    return copyInto(this.graph, formula.parts, slots);
  }

  /** Returns the node of an input. */
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

  /** World position of a point given in the body's frame. */
  point(body: number, local: Vector): NodeVector {
    const arm = this.direction(body, this.#fromCentre(body, local));
    return this.#add(this.frame(body).point, arm);
  }

  #velocity(body: number, local: Vector): NodeVector {
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
  direction(body: number, s: Vector): NodeVector {
    const { algebra } = this.calculus;
    const { axes } = this.frame(body);
    const along = (i: number) =>
      s.reduce(
        (sum, factor, j) => algebra.sum(sum, algebra.scaled(factor, axes[j]![i]!)),
        algebra.zero,
      );
    return [along(0), along(1), along(2)];
  }

  markerPoint(marker: number): NodeVector {
    const { body, point } = this.#model.markers[marker]!;
    return this.point(body, point);
  }

  /** World direction of an axis of a marker. */
  markerAxis(marker: number, axis: number): NodeVector {
    const { body, axes } = this.#model.markers[marker]!;
    return this.direction(body, column(axes, axis));
  }

  /** Angular velocity of the body of a marker. */
  markerOmega(marker: number): NodeVector {
    return this.frame(this.#model.markers[marker]!.body).omega;
  }

  #between(a: number, b: number): NodeVector {
    const { algebra } = this.calculus;
    const [from, to] = [this.markerPoint(a), this.markerPoint(b)];
    const part = (i: number) => algebra.difference(to[i]!, from[i]!);
    return [part(0), part(1), part(2)];
  }

  /** Value or rate of a sensor, as measured by kernels: assembly/constraints/angle.ts, displacement.ts, length.ts. */
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

  /** Returns the angle, up to full turns, that is nearest to a reference. Full turns have zero derivative. */
  #continued(angle: Node, reference: Node): Node {
    const { graph } = this;
    const apply = (operation: Operation, ...operands: Node[]) =>
      graph.apply(operation, ...operands);
    const [turn, half] = [graph.constant(TWO_PI), graph.constant(0.5)];
    const turns = apply(Operation.Divide, apply(Operation.Subtract, reference, angle), turn);
    // Half turns are rounded towards zero, so that an angle of -pi is unchanged.
    const rounded = apply(
      Operation.Select,
      apply(Operation.Less, graph.constant(0), turns),
      apply(Operation.Ceil, apply(Operation.Subtract, turns, half)),
      apply(Operation.Floor, apply(Operation.Add, turns, half)),
    );
    return apply(Operation.Add, angle, apply(Operation.Multiply, turn, rounded));
  }

  frame(body: number): FrameNodes {
    const known = this.#frames.get(body) ?? this.#newFrame(body);
    this.#frames.set(body, known);
    return known;
  }

  #newFrame(body: number): FrameNodes {
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
    const three = (field: number): NodeVector => [
      this.at({ offset: base + 8 * field }),
      this.at({ offset: base + 8 * (field + 1) }),
      this.at({ offset: base + 8 * (field + 2) }),
    ];
    const { ROTATION, OMEGA, POINT, VELOCITY } = BodyFrame;
    const made: FrameNodes = {
      axes: [three(ROTATION), three(ROTATION + 3), three(ROTATION + 6)],
      omega: three(OMEGA),
      point: three(POINT),
      velocity: three(VELOCITY),
    };
    this.#still.push(made);
    return made;
  }

  /** Direction of displacement j of a body: along the axes of the world, then about its own. */
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

  /** Direction of velocity j of a body. */
  velocity(body: number, j: number): Direction {
    const { axes, omega, velocity } = this.frame(body);
    if (j < 3) return new Map([[velocity[j]!, this.calculus.algebra.one]]);
    return new Map(omega.map((slot, i) => [slot, axes[j - 3]![i]!]));
  }

  /**
   * Direction of the motion of all bodies used so far, at constant velocities. One map that grows with them: a map for
   * each formula would make their number count twice.
   */
  motion(): Direction {
    const rates = this.#motion;
    rates.set(this.#time, this.calculus.algebra.one);
    for (const { axes, omega, point, velocity } of this.#still.splice(0)) {
      for (const axis of axes) {
        const rate = this.cross(omega, axis);
        for (let i = 0; i < 3; i++) rates.set(axis[i]!, rate[i]!);
      }
      for (let i = 0; i < 3; i++) rates.set(point[i]!, velocity[i]!);
    }
    return rates;
  }

  dot(a: NodeVector, b: NodeVector): Node {
    const { algebra } = this.calculus;
    return a.reduce((sum, x, i) => algebra.sum(sum, algebra.product(x, b[i]!)), algebra.zero);
  }

  cross(a: NodeVector, b: NodeVector): NodeVector {
    const { algebra } = this.calculus;
    const part = (i: number) => {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      return algebra.difference(algebra.product(a[j]!, b[k]!), algebra.product(a[k]!, b[j]!));
    };
    return [part(0), part(1), part(2)];
  }

  #add(a: NodeVector, b: NodeVector): NodeVector {
    const { algebra } = this.calculus;
    return [algebra.sum(a[0], b[0]), algebra.sum(a[1], b[1]), algebra.sum(a[2], b[2])];
  }
}
