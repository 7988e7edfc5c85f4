// The state a model starts in: poses and velocities as given, then brought together.

import { BODY_VELOCITIES } from "../../assembly/layout-bodies.js";
import { NodriftError } from "../errors.js";
import type { Arena } from "../memory/arena.js";
import type { ModelData } from "../model/description.js";
import { add, rotationOf, times } from "../model/vectors.js";
import { checkpoint } from "../watch.js";
import { favourGiven, keepVelocities, readings } from "./given.js";
import type { BodySystem } from "./system.js";

/** Positions of all bodies as the user gave them, at rest. */
export function givenState({ bodies }: ModelData): { q: number[]; v: number[] } {
  const q = bodies.flatMap(({ position, orientation, centre }) => [
    ...add(position, times(rotationOf(orientation), centre)),
    ...orientation,
  ]);
  return { q, v: new Array<number>(BODY_VELOCITIES * bodies.length).fill(0) };
}

/** A length that is typical of the model: half the largest distance between its points, or 1. */
export function sizeOf({ bodies, markers }: ModelData): number {
  const points = [
    ...bodies.map(({ position }) => position),
    ...markers.map(({ body, point }) => {
      const of = bodies[body];
      return of ? add(of.position, times(rotationOf(of.orientation), point)) : point;
    }),
  ];
  let size = 0;
  for (let i = 0; i < 3; i++) {
    const values = points.map((point) => point[i] as number);
    const range = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    size = Math.max(
      size,
      range - values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    );
  }
  return size > 0 ? size / 2 : 1;
}

const NEWTON = { iterations: 200, tolerance: 1e-13, halvings: 12, turn: 0.5 } as const;

/** A residual that is rounding, and one (relative to the size) that a rounded geometry explains. */
const CLOSED = 1e-10;
const ROUNDED = 1e-5;

/** How often velocities that were given are put back. */
const ROUNDS = 50;

const ADVICE = {
  positions: "Give poses that are nearer to a closed one",
  velocities: "Drives may prescribe what joints do not allow",
} as const;

/** How the start was brought together. */
export interface Assembly {
  /** Largest constraint error left, of positions and of velocities. */
  readonly residual: number;
  readonly velocityResidual: number;
  /** Largest change of a coordinate. */
  readonly moved: number;
}

/**
 * Newton's iteration q += minnorm(-Phi) in the metric of the masses, with shorter steps where a full one
 * does not reduce the error. Then velocities: those that were given stay as far as the joints allow, the
 * others follow.
 */
export class Assembler {
  readonly #system: BodySystem;
  readonly #length: number;
  readonly #right: number;
  readonly #step: number;
  readonly #trialStep: number;

  constructor(system: BodySystem, length: number) {
    this.#system = system;
    this.#length = length;
    const { workspace, rows, velocities } = system;
    this.#right = workspace.vector("residual of the assembly", rows);
    this.#step = workspace.vector("step of the assembly", velocities);
    this.#trialStep = workspace.vector("shorter step of the assembly", velocities);
    system.solver("auto");
  }

  /** Works on the accepted state. */
  run(t: number, arena: Arena): Assembly {
    const system = this.#system;
    const { state, positions, velocities } = system;
    const view = arena.floats({ name: "state", address: state, slots: positions + velocities });
    const before = view.slice(0, positions);
    const residual = this.#positions(t);
    if (!(residual <= Math.max(CLOSED, ROUNDED * this.#length))) {
      throw this.#failure(t, "positions", arena);
    }
    const velocityResidual = this.#velocities(t, arena);
    if (!(velocityResidual <= Math.max(CLOSED, ROUNDED * this.#length))) {
      throw this.#failure(t, "velocities", arena);
    }
    const moved = before.reduce(
      (most, x, i) => Math.max(most, Math.abs(x - (view[i] as number))),
      0,
    );
    return { residual, velocityResidual, moved };
  }

  #load(t: number): void {
    const { workspace, state, trial, positions, velocities } = this.#system;
    workspace.kernels.copyVector(positions + velocities, state, trial);
    this.#system.at(t);
  }

  #positions(t: number): number {
    const system = this.#system;
    const { workspace, rows, state, trial, positions } = system;
    const { kernels } = workspace;
    this.#load(t);
    let square = kernels.dot(rows, system.phi(), system.phi());
    let error = kernels.largestMagnitude(rows, system.phi());
    for (let i = 0; i < NEWTON.iterations && !(error <= NEWTON.tolerance); i++) {
      this.#newtonStep(system.phi());
      const next = this.#search(t, square);
      if (!(next < square)) break;
      kernels.copyVector(positions, trial, state);
      // Steps turn a body by less than a half turn, so angles go on from one to the next.
      system.kernels.bodyContinue(system.table);
      const halved = kernels.largestMagnitude(rows, system.phi());
      // Rounding: it no longer gets better.
      if (error < CLOSED && halved > error / 2) break;
      [square, error] = [next, halved];
    }
    this.#load(t);
    return kernels.largestMagnitude(rows, system.phi());
  }

  /** step = minnorm(-residual), not longer than is sensible. */
  #newtonStep(residual: number): void {
    const system = this.#system;
    const { workspace, rows, velocities } = system;
    const { kernels } = workspace;
    checkpoint();
    kernels.axpy(rows, -2, residual, residual, this.#right);
    system.solver("auto").minnorm(1, this.#right, this.#step);
    const turn = system.kernels.bodyAngularRate(system.table, this.#step);
    const slide = kernels.largestMagnitude(velocities, this.#step) / (2 * this.#length);
    const excess = Math.max(turn, slide) / NEWTON.turn;
    if (excess > 1) kernels.axpy(velocities, 1 / excess - 1, this.#step, this.#step, this.#step);
  }

  /** The trial positions become the accepted ones moved by the step, or a part of it. */
  #search(t: number, square: number): number {
    const system = this.#system;
    const { workspace, rows, state, trial, positions, velocities } = system;
    const { kernels } = workspace;
    let factor = 1;
    for (let halving = 0; ; halving++) {
      kernels.copyVector(positions, state, trial);
      kernels.axpy(velocities, factor - 1, this.#step, this.#step, this.#trialStep);
      system.displace(trial, this.#trialStep);
      system.at(t);
      const next = kernels.dot(rows, system.phi(), system.phi());
      if (next < square || halving === NEWTON.halvings) return next;
      factor /= 2;
    }
  }

  #velocities(t: number, arena: Arena): number {
    const system = this.#system;
    const { workspace, rows, state, positions, velocities } = system;
    const masses = arena.floats(system.segments.masses);
    const kept = masses.slice();
    const view = arena.floats({ name: "state", address: state, slots: positions + velocities });
    const [q, v] = [view.subarray(0, positions), view.subarray(positions)];
    for (const bodies of readings(system.plan.model.bodies)) {
      v.fill(0);
      keepVelocities(bodies, q, v);
      const follows = favourGiven(bodies, masses);
      let open = this.#closeVelocities(t);
      // What was given has changed a little, by its inertia against that of the others. Put back,
      // again and again, it stays if the joints allow it.
      for (let round = 0; follows && round < ROUNDS && open > NEWTON.tolerance; round++) {
        keepVelocities(bodies, q, v);
        const next = this.#closeVelocities(t);
        if (!(next < open / 2)) break;
        open = next;
      }
      masses.set(kept);
      if (open <= CLOSED) break;
    }
    this.#load(t);
    return workspace.kernels.largestMagnitude(rows, system.phiDot());
  }

  /** v += minnorm(-Phi') until that is zero. Returns how large it was before. */
  #closeVelocities(t: number): number {
    const system = this.#system;
    const { workspace, rows, state, trial, positions, velocities } = system;
    const { kernels } = workspace;
    this.#load(t);
    const v = trial + 8 * positions;
    const first = kernels.largestMagnitude(rows, system.phiDot());
    let error = first;
    for (let i = 0; i < 10 && !(error <= NEWTON.tolerance); i++) {
      checkpoint();
      kernels.axpy(rows, -2, system.phiDot(), system.phiDot(), this.#right);
      system.solver("auto").minnorm(1, this.#right, this.#step);
      kernels.axpy(velocities, 1, this.#step, v, v);
      system.at(t);
      const next = kernels.largestMagnitude(rows, system.phiDot());
      if (!(next < error)) break;
      kernels.copyVector(velocities, v, state + 8 * positions);
      error = next;
    }
    return first;
  }

  #failure(t: number, what: "positions" | "velocities", arena: Arena): NodriftError {
    const system = this.#system;
    const { rows, plan } = system;
    const address = what === "positions" ? system.phi() : system.phiDot();
    const values = arena.floats({ name: "rows", address, slots: rows });
    const open = plan.model.joints
      .map(({ name }, joint) => {
        const own = plan.blocks.filter((block) => block.joint === joint);
        const errors = own.flatMap((block) =>
          [...values.subarray(block.firstRow, block.firstRow + block.rows)].map(Math.abs),
        );
        const bodies = own.flatMap((block) => block.bodies);
        return { name, error: Math.max(0, ...errors), bodies: [...new Set(bodies)].sort().join() };
      })
      .sort((a, b) => b.error - a.error);
    const worst = open.filter(({ error }) => error > CLOSED).slice(0, 5);
    const named = worst.map(({ name, error }) => `"${name}" by ${error.toPrecision(3)}`);
    // What one of them contradicts may hold exactly: joints on the same bodies.
    const against = open
      .filter(({ error, bodies }) => error <= CLOSED && worst.some((one) => one.bodies === bodies))
      .slice(0, 5);
    if (against.length > 0) {
      named.push(`against ${against.map(({ name }) => `"${name}"`).join(", ")}`);
    }
    return new NodriftError(
      "ASSEMBLY",
      `${system.name}: the ${what} cannot be brought together at t = ${t}: these joints stay open: ` +
        `${named.join(", ")}. Do they contradict each other? ${ADVICE[what]}`,
    );
  }
}
