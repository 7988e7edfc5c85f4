// Forces that joints of a tree transmit. They are no multipliers: coordinates of the tree leave no rows. But the bodies behind a
// joint (its subtree) accelerate by what acts on them, and what is missing comes through the joint. With accelerations u' of the bodies, forces F of
// laws and pushes, and multipliers l of the rows that remain,
//
//   f = sum over the subtree of (M u' - F - J^T l),   of the linear parts in the world.
//
// The length of f is that of the vector of the joint's force rows in maximal coordinates: these are orthonormal, and its other rows
// give no force. Joints that are cut have their rows. Rejected: multipliers of the mechanism in maximal coordinates, whose solve would
// cost more than the tree saves.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { Address, Segment } from "../../../ground/memory/arena.js";
import {
  type ReactionSource,
  type Rubbing,
  rubbingRows,
} from "../../bodies/system/reaction-loads.js";
import { BodyMotion } from "./body-motion.js";
import type { RelativeQuantities } from "./quantities.js";
import type { TreeSolver } from "./tree-solver.js";

/** Where the force of a joint is read: from bodies behind it, or from rows. */
interface Place {
  readonly bodies: readonly number[];
  readonly rows: readonly number[];
}

export class TreeReactions implements ReactionSource {
  readonly rubbing: readonly Rubbing[];
  readonly #places: readonly Place[];
  readonly #system: RelativeQuantities;
  readonly #solver: TreeSolver;
  readonly #motion: BodyMotion;
  readonly #accelerations: Address;
  readonly #multipliers: Segment;
  #found = new Float64Array(0);
  #rest = new Float64Array(0);

  constructor(system: RelativeQuantities, solver: TreeSolver) {
    const { workspace, bodies, plan } = system;
    this.#system = system;
    this.#solver = solver;
    this.#motion = new BodyMotion(system);
    this.#accelerations = workspace.vector("accelerations for friction", system.velocities);
    this.#multipliers = workspace.reserve("multipliers for friction", system.rows);
    const { joints } = plan.rest.model;
    const found = rubbingRows(bodies).map(({ reaction, rows, ...rest }) => {
      const joint = joints.findIndex(({ name }) => name === reaction);
      return { ...rest, rows, bodies: bodiesBehind(system, joint) };
    });
    this.#places = found;
    this.rubbing = found.map(({ name, slot, bodies: behind, rows }) => ({
      name,
      slot,
      size: behind.length > 0 ? 3 : rows.length,
    }));
    workspace.whenSealed((arena) => {
      this.#found = arena.floats(this.#multipliers);
      const { rest: address } = this.#motion;
      this.#rest = arena.floats({ name: "forces of joints", address, slots: bodies.velocities });
    });
  }

  forget(): void {
    this.#system.forgetForces();
  }

  read(out: Float64Array): void {
    const { address: multipliers } = this.#multipliers;
    this.#solver.motion(this.#system.gamma(), this.#accelerations, multipliers);
    this.#motion.find(this.#accelerations);
    this.#motion.addBias();
    this.#motion.balance(multipliers);
    let at = 0;
    for (let j = 0; j < this.#places.length; j++) {
      const { bodies, rows } = this.#places[j]!;
      if (bodies.length === 0) {
        for (let i = 0; i < rows.length; i++) out[at++] = this.#found[rows[i]!]!;
        continue;
      }
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let i = 0; i < bodies.length; i++)
          sum -= this.#rest[BODY_VELOCITIES * bodies[i]! + axis]!;
        out[at++] = sum;
      }
    }
  }
}

/** Bodies that a joint of the tree carries; none of one that is cut. */
function bodiesBehind({ plan }: RelativeQuantities, joint: number): number[] {
  const { nodes, nodeOf } = plan.tree;
  return nodeOf.flatMap((own, body) => {
    for (let node = own; node >= 0; node = nodes[node]!.parent) {
      if (nodes[node]!.joint === joint) return [body];
    }
    return [];
  });
}
