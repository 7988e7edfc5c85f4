import type { Workspace } from "../../../ground/memory/workspace.js";
import type { BodyAccess, StateAddress, System } from "../../../seam/index.js";
import { BodyLoops } from "../../bodies/system/loops.js";
import { RankKnowledge } from "../../bodies/system/rank-knowledge.js";
import { followsReaction, ReactionLoads } from "../../bodies/system/reaction-loads.js";
import { sensorRecords } from "../../bodies/system/sensor-records.js";
import { stiffAdvice } from "../../bodies/system/solve-errors.js";
import type { RelativePlan } from "../plan/relative-plan.js";
import { RelativeConstraints } from "./constraints.js";
import { RelativeContinuation } from "./continuation.js";
import { RelativeCoordinates } from "./coordinates.js";
import { RelativeDynamics } from "./dynamics.js";
import { RelativeEnergy } from "./energy.js";
import type { RelativeFacts } from "./facts.js";
import { RelativeMatrices } from "./matrices.js";
import { Publication } from "./public-state.js";
import { RelativeQuantities } from "./quantities.js";
import { TreeReactions } from "./tree-reactions.js";

/** Rigid bodies with joints, in joint coordinates along a tree; only cut joints are rows. */
export class RelativeSystem implements System {
  readonly name: string;
  readonly workspace: Workspace;
  readonly quantities: RelativeQuantities;
  readonly coordinates: RelativeCoordinates;
  readonly constraints: RelativeConstraints;
  readonly ranks: RankKnowledge;
  readonly dynamics: RelativeDynamics;
  readonly energy: RelativeEnergy;
  readonly loops: BodyLoops | undefined;
  readonly continuation: RelativeContinuation;
  readonly matrices: RelativeMatrices;
  readonly publicState: Publication;
  readonly bodies: BodyAccess;
  readonly state: StateAddress;
  readonly trial: StateAddress;

  constructor(plan: RelativePlan, module: WebAssembly.Module, facts: RelativeFacts) {
    const { length, degreesOfFreedom, ranks, nearlyFits = false } = facts;
    const quantities = new RelativeQuantities(plan, module);
    const closesLoops = plan.closing.includes(true);
    const ranked = quantities.rankedRows;
    this.quantities = quantities;
    this.name = plan.rest.model.name;
    this.workspace = quantities.workspace;
    this.state = quantities.state;
    this.trial = quantities.trial;
    this.coordinates = new RelativeCoordinates(quantities);
    this.bodies = {
      count: plan.rest.model.bodies.length,
      stiffAdvice: stiffAdvice(plan.rest.model),
      frames: () => {
        quantities.bodies.requireFrames();
        return quantities.bodies.arrays.frames;
      },
      sensors: (withJacobians) => sensorRecords(quantities.bodies, withJacobians),
      forces: (onBodies, out) => quantities.jointForces(onBodies, out),
      velocities: (v, out) => {
        const found = quantities.bodyVelocities(v);
        const { kernels } = quantities.workspace;
        kernels.copyVector(quantities.bodies.velocities, found, out);
      },
      angularRate: () => {
        const { kernels, bodies, state } = quantities;
        return kernels.bodyAngularRate(bodies.table, this.publicState.bodies(state.q));
      },
      setPushes: (pushes) => {
        quantities.push(pushes);
        this.publicState.setPushes(pushes);
      },
    };
    this.constraints = new RelativeConstraints(quantities, degreesOfFreedom, length);
    this.ranks = new RankKnowledge(ranked, closesLoops);
    if (ranks) this.workspace.whenSealed(() => this.ranks.learn(ranks));
    this.dynamics = new RelativeDynamics(quantities, this.ranks);
    if (followsReaction(quantities.bodies)) {
      const reactions = new TreeReactions(quantities, this.dynamics.treeSolver("auto"));
      quantities.bodies.reactionLoads = new ReactionLoads(quantities.bodies, reactions);
    }
    this.energy = new RelativeEnergy(quantities);
    this.matrices = new RelativeMatrices(quantities, length);
    const { constraints, dynamics } = this;
    this.loops = closesLoops
      ? new BodyLoops({ quantities: ranked, constraints, dynamics, ranks: this.ranks }, nearlyFits)
      : undefined;
    this.publicState = new Publication(quantities, facts);
    this.continuation = new RelativeContinuation(
      quantities,
      this.ranks,
      this.loops,
      this.publicState,
      length,
    );
  }

  /**
   * Takes over the masses, gravity and forces of a plan that differs in nothing else. `maximal` makes the mechanism in
   * maximal coordinates with them, and `update` changes one that was made before.
   */
  adopt(plan: RelativePlan, maximal: () => System, update: (made: System) => void): void {
    this.quantities.adopt(plan);
    this.publicState.adopt(maximal, update);
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
