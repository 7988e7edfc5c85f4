import { MassKind } from "../../../../assembly/layout.js";
import { BODY_VELOCITIES, BodyMass, Want } from "../../../../assembly/layout-bodies.js";
import { POINTS } from "../../../ground/algebra/differences.js";
import type { Address, Segment } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { DenseEquations, GeneralRank } from "../../../seam/index.js";
import type { DenseSource } from "../../dense-solver.js";
import type { BodyQuantities } from "./quantities.js";

/** How far bodies turn or move in a step of differences of J along the motion. */
const STEP = 2 ** -7;

/** The matrices of a mechanism written out, for the methods that need a basis of the null space. */
export class DenseBodies implements DenseEquations, DenseSource {
  readonly workspace: Workspace;
  readonly velocities: number;
  readonly rows: number;
  readonly massKind = MassKind.FULL;
  readonly #system: BodyQuantities;
  readonly #mass: Segment;
  readonly #jacobian: Segment;
  readonly #kept: Address;
  readonly #step: Address;
  #blocks = new Float64Array(0);
  #matrix = new Float64Array(0);
  #written = -1;

  readonly #rank: GeneralRank | undefined;

  constructor(system: BodyQuantities, rank: GeneralRank | undefined) {
    this.#rank = rank;
    const { workspace, velocities, rows, positions } = system;
    this.#system = system;
    this.workspace = workspace;
    this.velocities = velocities;
    this.rows = rows;
    this.#mass = workspace.reserve("dense mass", velocities * velocities);
    this.#jacobian = workspace.reserve("dense jacobian", rows * velocities);
    this.#kept = workspace.vector("kept positions", positions);
    this.#step = workspace.vector("difference step", velocities);
    workspace.whenSealed((arena) => {
      this.#blocks = arena.floats(system.segments.jacobian);
      this.#matrix = arena.floats(this.#jacobian);
      this.#writeMass(arena.floats(this.#mass), arena.floats(system.segments.masses));
    });
  }

  get generation(): number {
    return this.#system.generation;
  }

  get factorisations(): number {
    return this.#system.factorisations;
  }

  set factorisations(count: number) {
    this.#system.factorisations = count;
  }

  generalRank(): GeneralRank | undefined {
    return this.#rank;
  }

  mass(): Address {
    return this.#mass.address;
  }

  jacobian(): Address {
    if (this.#written !== this.generation) {
      this.#system.require(Want.PHI | Want.JACOBIAN);
      this.#matrix.fill(0);
      this.#addBlocks(1, this.#matrix);
      this.#written = this.generation;
    }
    return this.#jacobian.address;
  }

  forces(): Address {
    return this.#system.forces();
  }

  gamma(): Address {
    return this.#system.gamma();
  }

  errorFor(status: number, advice: string): Error {
    return this.#system.errorFor(status, advice);
  }

  /** M is constant. */
  massRateTimesVelocity(out: Address): void {
    this.workspace.kernels.copyVector(this.velocities, this.#system.zero, out);
  }

  /** dJ/dt along the motion, by differences of sixth order. */
  jacobianRate(out: Address): void {
    const system = this.#system;
    const { kernels } = this.workspace;
    const { trial, positions, velocities, rows, time } = system;
    const { q, v } = trial;
    const speed = Math.max(1, kernels.largestMagnitude(velocities, v));
    const h = STEP / speed;
    kernels.copyVector(positions, q, this.#kept);
    this.#matrix.fill(0);
    for (const [multiple, weight] of POINTS) {
      kernels.copyVector(positions, this.#kept, q);
      kernels.axpy(velocities, multiple * h - 1, v, v, this.#step);
      system.displace(q, this.#step);
      system.at(time + multiple * h);
      system.require(Want.PHI | Want.JACOBIAN);
      this.#addBlocks(weight / h, this.#matrix);
    }
    kernels.copyVector(positions, this.#kept, q);
    system.at(time);
    kernels.copyVector(rows * velocities, this.#jacobian.address, out);
    this.#written = -1;
  }

  /** Adds the blocks, each times a factor, to a matrix by rows. */
  #addBlocks(factor: number, matrix: Float64Array): void {
    const { blocks, sparse } = this.#system.plan;
    blocks.forEach(({ bodies, rows, firstRow }, index) => {
      bodies.forEach((body, place) => {
        const slot = sparse.jacobianSlotOf[index]?.[place] as number;
        for (let row = 0; row < rows; row++) {
          const to = (firstRow + row) * this.velocities + BODY_VELOCITIES * body;
          const from = slot + BODY_VELOCITIES * row;
          for (let k = 0; k < BODY_VELOCITIES; k++) {
            const value = factor * (this.#blocks[from + k] as number);
            matrix[to + k] = (matrix[to + k] as number) + value;
          }
        }
      });
    });
  }

  #writeMass(matrix: Float64Array, masses: Float64Array): void {
    const n = this.velocities;
    for (let body = 0; body < n / BODY_VELOCITIES; body++) {
      const mass = BodyMass.LENGTH * body;
      const first = BODY_VELOCITIES * body;
      for (let i = 0; i < 3; i++) {
        matrix[(first + i) * (n + 1)] = masses[mass + BodyMass.MASS] as number;
        for (let j = 0; j < 3; j++) {
          const value = masses[mass + BodyMass.INERTIA + 3 * j + i] as number;
          matrix[first + 3 + i + (first + 3 + j) * n] = value;
        }
      }
    }
  }
}
