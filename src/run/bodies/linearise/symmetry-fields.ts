// Candidate symmetries: vector fields X on the state space, by their coefficients.
//
// Each body moves by a motion of the world, its left part (a, Omega), and by one of its own frame, its right
// part (b, s):
//
//   dx = a + Omega x (x - o) + R b,    dR = R [R^T Omega + s]x.
//
// A bicycle in a bend has the left part of its turning in all bodies, and a right part in each wheel, which
// spins about its axle. Velocities and accelerations go along: with b and s fixed in the body, from
// d(R b)/dt = R (w x b) and w' = s' + w x s for a turn s,
//
//   dv = Omega x v + R (w x b),                          dw = w x s,
//   da = Omega x a + R (alpha x b + w x (w x b)),        dalpha = alpha x s.
//
// A boost c gives dv = c, and dx = (t - t0) c: bodies that nothing holds may fly and fall while they spin.
// Time advances as well: drives that turn a shaft uniformly change only the angle. Not among these fields
// is the turn of several bodies, movable against each other, about an axis that another one carries.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { Vector } from "../../../describe/model/model-data.js";
import {
  add,
  cross,
  rotationOf,
  scale,
  subtract,
  threeAt,
  times,
  transposeTimes,
} from "../../../ground/algebra/vectors.js";
import type { NearbyState } from "./nearby-states.js";

/** Numbers for each body: a, Omega, b, s, c. */
const PARTS = 15;
const [LEFT, LEFT_TURN, RIGHT, RIGHT_TURN, BOOST] = [0, 3, 6, 9, 12];

/** What a field does to a state. */
export interface Change {
  /** Of the poses: six numbers for each body, as in velocities. */
  readonly displacement: Float64Array;
  /** Of the velocities. */
  readonly velocity: Float64Array;
  /** Of the accelerations, where these are given. */
  readonly acceleration: Float64Array;
}

export class Fields {
  /** Numbers that make a field; the last one is the rate of time. */
  readonly count: number;
  readonly #bodies: number;
  /** Translations by one are by this length, and boosts change speeds by this speed. */
  readonly #length: number;
  readonly #speed: number;
  readonly #time: number;
  /** Left turns are about this point: about a far one they would look like translations. */
  readonly #origin: Vector;

  /** Fields about a state; `rate` is the unit of rates. */
  constructor({ q, time }: NearbyState, length: number, rate: number) {
    this.#bodies = q.length / BODY_POSITIONS;
    this.#length = length;
    this.#speed = length * rate;
    this.#time = time;
    this.count = PARTS * this.#bodies + 1;
    let sum: Vector = [0, 0, 0];
    for (let body = 0; body < this.#bodies; body++) {
      sum = add(sum, threeAt(q, BODY_POSITIONS * body));
    }
    this.#origin = scale(1 / this.#bodies, sum);
  }

  /** The rate of time of a field. */
  timeOf(field: Float64Array): number {
    return field[this.count - 1]!;
  }

  /** Angular velocity in the world of the frame a body is seen in. */
  turnOf(field: Float64Array, body: number): Vector {
    return threeAt(field, PARTS * body + LEFT_TURN);
  }

  /** All turns of a field, of the world and of bodies. */
  turnsOf(field: Float64Array): Vector[] {
    return Array.from({ length: this.#bodies }, (_, body) => [
      this.turnOf(field, body),
      threeAt(field, PARTS * body + RIGHT_TURN),
    ]).flat();
  }

  /** Whether each number of a field is one of a turn of the world. */
  leftTurns(): boolean[] {
    return Array.from({ length: this.count }, (_, i) => {
      const part = i % PARTS;
      return i < this.count - 1 && part >= LEFT_TURN && part < RIGHT;
    });
  }

  /** What a field does at a state. */
  at(field: Float64Array, { q, v, time }: NearbyState, accelerations?: Float64Array): Change {
    const displacement = new Float64Array(v.length);
    const velocity = new Float64Array(v.length);
    const acceleration = new Float64Array(v.length);
    for (let body = 0; body < this.#bodies; body++) {
      const [place, first, part] = [BODY_POSITIONS * body, BODY_VELOCITIES * body, PARTS * body];
      const e = [q[place + 3]!, q[place + 4]!, q[place + 5]!, q[place + 6]!] as const;
      const rotation = rotationOf(e);
      const a = scale(this.#length, threeAt(field, part + LEFT));
      const b = scale(this.#length, threeAt(field, part + RIGHT));
      const turn = threeAt(field, part + LEFT_TURN);
      const spin = threeAt(field, part + RIGHT_TURN);
      const [linear, w] = [threeAt(v, first), threeAt(v, first + 3)];
      const arm = subtract(threeAt(q, place), this.#origin);
      const boost = scale(this.#speed, threeAt(field, part + BOOST));
      const flown = add(a, scale(time - this.#time, boost));
      displacement.set(add(add(flown, cross(turn, arm)), times(rotation, b)), first);
      displacement.set(add(transposeTimes(rotation, turn), spin), first + 3);
      const swept = add(cross(turn, linear), times(rotation, cross(w, b)));
      velocity.set(add(swept, boost), first);
      velocity.set(cross(w, spin), first + 3);
      if (!accelerations) continue;
      const alpha = threeAt(accelerations, first + 3);
      const swing = add(cross(alpha, b), cross(w, cross(w, b)));
      const carried = cross(turn, threeAt(accelerations, first));
      acceleration.set(add(carried, times(rotation, swing)), first);
      acceleration.set(cross(alpha, spin), first + 3);
    }
    return { displacement, velocity, acceleration };
  }
}
