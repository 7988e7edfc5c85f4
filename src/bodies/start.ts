// Bringing the start of a model together.

import { NodriftError } from "../errors.js";
import type { Arena } from "../memory/arena.js";
import { favourGiven } from "./given.js";
import type { BodySystem } from "./system.js";

/** Velocities given are asked for again until they are had to rounding, if they can be had. */
const GIVEN_ROUNDS = 4;
const GIVEN_ROUNDING = 1e-14;
const GIVEN_REACHABLE = 1e-3;

const NEWTON = { iterations: 200, tolerance: 1e-13, halvings: 12, turn: 0.5 } as const;

/** A residual that is rounding, and one (relative to the size) that a rounded geometry explains. */
const CLOSED = 1e-10;
const ROUNDED = 1e-5;

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
 * does not reduce the error. Then velocities: bodies whose velocity was given keep it as far as the
 * joints allow, the others follow.
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
    const { rows, state, positions, velocities } = system;
    const masses = arena.floats(system.segments.masses);
    const kept = masses.slice();
    const isGiven = favourGiven(system.plan.model.bodies, masses);
    const v = arena.floats({ name: "v", address: state + 8 * positions, slots: velocities });
    const given = v.slice();
    const target = v.slice();
    for (let round = 0; round < GIVEN_ROUNDS; round++) {
      v.set(target);
      this.#projectVelocities(t);
      const missing = given.map((x, i) => (isGiven[i] ? x - (v[i] as number) : 0));
      const [most, largest] = [missing, given].map(largestOf) as [number, number];
      // What cannot be had is not asked for again.
      if (!(most > GIVEN_ROUNDING * largest && most < GIVEN_REACHABLE * largest)) break;
      for (let i = 0; i < velocities; i++) {
        target[i] = (target[i] as number) + (missing[i] as number);
      }
    }
    masses.set(kept);
    this.#load(t);
    return system.workspace.kernels.largestMagnitude(rows, system.phiDot());
  }

  /** v += minnorm(-Phi') until nothing is left. */
  #projectVelocities(t: number): void {
    const system = this.#system;
    const { workspace, rows, state, trial, positions, velocities } = system;
    const { kernels } = workspace;
    this.#load(t);
    const v = trial + 8 * positions;
    let error = kernels.largestMagnitude(rows, system.phiDot());
    for (let i = 0; i < 10 && !(error <= NEWTON.tolerance); i++) {
      kernels.axpy(rows, -2, system.phiDot(), system.phiDot(), this.#right);
      system.solver("auto").minnorm(1, this.#right, this.#step);
      kernels.axpy(velocities, 1, this.#step, v, v);
      system.at(t);
      const next = kernels.largestMagnitude(rows, system.phiDot());
      if (!(next < error)) break;
      kernels.copyVector(velocities, v, state + 8 * positions);
      error = next;
    }
  }

  #failure(t: number, what: "positions" | "velocities", arena: Arena): NodriftError {
    const system = this.#system;
    const { rows, plan } = system;
    const address = what === "positions" ? system.phi() : system.phiDot();
    const values = arena.floats({ name: "rows", address, slots: rows });
    const worst = plan.model.joints
      .map(({ name }, joint) => {
        const own = plan.blocks.filter((block) => block.joint === joint);
        const errors = own.flatMap((block) =>
          [...values.subarray(block.firstRow, block.firstRow + block.rows)].map(Math.abs),
        );
        return { name, error: Math.max(0, ...errors) };
      })
      .filter(({ error }) => error > CLOSED)
      .sort((a, b) => b.error - a.error)
      .slice(0, 5)
      .map(({ name, error }) => `"${name}" by ${error.toPrecision(3)}`);
    return new NodriftError(
      "ASSEMBLY",
      `${system.name}: the ${what} cannot be brought together at t = ${t}: these joints stay open: ` +
        `${worst.join(", ")}. Do they contradict each other? Give poses that are nearer to a closed one`,
    );
  }
}

function largestOf(values: Float64Array): number {
  return values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}
