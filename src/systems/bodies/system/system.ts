import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { BodyAccess, StateAddress, System } from "../../../seam/index.js";
import type { Plan } from "../plan/plan.js";
import { BodyConstraints } from "./constraints.js";
import { BodyContinuation } from "./continuation.js";
import { BodyCoordinates } from "./coordinates.js";
import { BodyDynamics } from "./dynamics.js";
import { BodyEnergy } from "./energy.js";
import { generalRank, type MechanismFacts } from "./loop-ranks.js";
import { BodyLoops } from "./loops.js";
import { BodyMatrices } from "./matrices.js";
import { BodyQuantities } from "./quantities.js";
import { RankKnowledge } from "./rank-knowledge.js";
import { followsReaction, ReactionLoads, RowReactions } from "./reaction-loads.js";
import { sensorRecords } from "./sensor-records.js";

/** Rigid bodies with joints, in maximal coordinates: block sparse operators. */
export class BodySystem implements System {
  readonly name: string;
  readonly workspace: Workspace;
  /** State, memory and everything evaluated at the trial state. */
  readonly quantities: BodyQuantities;
  readonly coordinates: BodyCoordinates;
  readonly constraints: BodyConstraints;
  readonly ranks: RankKnowledge;
  readonly dynamics: BodyDynamics;
  readonly energy: BodyEnergy;
  readonly loops: BodyLoops | undefined;
  readonly continuation: BodyContinuation;
  readonly matrices: BodyMatrices;
  readonly bodies: BodyAccess;
  readonly state: StateAddress;
  readonly trial: StateAddress;

  constructor(
    plan: Plan,
    module: WebAssembly.Module,
    { length, degreesOfFreedom, ranks, nearlyFits = false }: MechanismFacts,
  ) {
    const quantities = new BodyQuantities(plan, module);
    const closesLoops = plan.blocks.some(({ closing }) => closing);
    this.quantities = quantities;
    this.name = quantities.name;
    this.workspace = quantities.workspace;
    this.state = quantities.state;
    this.trial = quantities.trial;
    this.coordinates = new BodyCoordinates(quantities, length);
    this.bodies = {
      count: plan.model.bodies.length,
      frames: () => {
        quantities.requireFrames();
        return quantities.arrays.frames;
      },
      sensors: (withJacobians) => sensorRecords(quantities, withJacobians),
      forces: (onBodies, out) => this.#copy(onBodies, out),
      velocities: (v, out) => this.#copy(v, out),
      angularRate: () => quantities.kernels.bodyAngularRate(quantities.table, quantities.state.v),
      setPushes: (pushes) => {
        quantities.pushes = pushes;
      },
    };
    this.constraints = new BodyConstraints(quantities, degreesOfFreedom);
    this.ranks = new RankKnowledge(quantities, closesLoops);
    if (ranks) this.workspace.whenSealed(() => this.ranks.learn(ranks));
    this.matrices = new BodyMatrices(quantities, length, ranks && generalRank(plan, ranks));
    this.dynamics = new BodyDynamics(quantities, this.ranks, () => this.matrices.dense);
    if (followsReaction(quantities)) {
      const reactions = new RowReactions(quantities, this.dynamics.solver("auto"));
      quantities.reactionLoads = new ReactionLoads(quantities, reactions);
    }
    this.energy = new BodyEnergy(quantities);
    this.loops = closesLoops ? new BodyLoops(this, nearlyFits) : undefined;
    this.continuation = new BodyContinuation(quantities, this.ranks, this.loops, length);
  }

  #copy(from: Address, to: Address): void {
    this.workspace.kernels.copyVector(this.quantities.velocities, from, to);
  }

  /** Takes over the masses, gravity and forces of a plan that differs in nothing else. */
  adopt(plan: Plan): void {
    this.quantities.adopt(plan);
  }

  get time(): number {
    return this.quantities.time;
  }

  load(t: number): void {
    this.quantities.load(t);
  }

  store(): void {
    this.quantities.store();
  }

  at(t: number): void {
    this.quantities.at(t);
  }

  atVelocity(): void {
    this.quantities.atVelocity();
  }

  errorFor(status: number, advice: string): Error {
    return this.quantities.errorFor(status, advice);
  }
}
