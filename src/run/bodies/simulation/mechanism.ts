// A mechanism in memory with the state it is in: what a simulation holds, and what takes its place when numbers change.

import type { Difference } from "../../../describe/model/compare.js";
import type { BodyAccess, CoordinateChoice, Method, System } from "../../../seam/index.js";
import { Impulses } from "../../held/impulses.js";
import { limitsOf } from "../../held/limits.js";
import { choiceFor, systemFor } from "../../stepping/coordinate-choice.js";
import { FixedSteps } from "../../stepping/fixed-steps.js";
import { Hand, type HandData } from "../hands/hand.js";
import { type CurrentState, currentState } from "../probe/current-state.js";
import type { BodySource } from "./body-source.js";
import { heldAnew, withCentres } from "./carry-state.js";

/** A compiled model, a system of it, and the steps it takes. */
export interface Mechanism {
  readonly source: BodySource;
  readonly system: System;
  readonly steps: FixedSteps;
  readonly coordinateChoice: CoordinateChoice;
  /** What pushes and drags its bodies. */
  readonly hand: Hand;
  /** Of its rigid stops, where it has some. */
  readonly impulses: Impulses | undefined;
  /** The present state, for readings. */
  readonly present: CurrentState;
}

/** At the start of a compiled model; where coordinates are held it need not fit joints that have been moved since. */
export function mechanismOf(
  source: BodySource,
  method: Method,
  step: number,
  start: "assemble" | "asGiven" = source.settings.held ? "assemble" : "asGiven",
): Mechanism {
  const { q, v, time } = source;
  const own = source.system();
  const system = systemFor(method, own);
  const options = { method, step, q, v, time, start };
  let hand!: Hand;
  let impulses: Impulses | undefined;
  const steps = new FixedSteps(system, options, options, (own) => {
    hand = new Hand(own, own.bodies as BodyAccess);
    impulses = limitsOf(source.data).some(({ isRigid }) => isRigid) ? new Impulses(own) : undefined;
    return hand;
  });
  const coordinateChoice = choiceFor(method, own, source.report.coordinates) as CoordinateChoice;
  return inState(source, { system, steps, coordinateChoice, hand, impulses });
}

/** The same memory, with the numbers of another source. */
export function inState(
  source: BodySource,
  memory: Omit<Mechanism, "source" | "present">,
): Mechanism {
  const { system, steps, coordinateChoice, hand, impulses } = memory;
  const isAlongTree = coordinateChoice.kind === "relative";
  const present = currentState(source.plan, steps, {
    integrated: () => (isAlongTree ? steps.integrated : undefined),
    readTurns: (out) => system.continuation.turns?.read(out),
  });
  return { source, system, steps, coordinateChoice, hand, impulses, present };
}

/** Pushes and grips at the same points of the bodies, whose centres of mass may have moved. */
function heldAt({ hand, source }: Mechanism, model: BodySource): HandData {
  const { pushes, grips } = hand.data();
  const moved = <Held extends { readonly body: number; readonly arm: readonly number[] }>(
    held: Held,
  ): Held => {
    const [from, to] = [source, model].map(({ data }) => data.bodies[held.body]!.centre);
    return { ...held, arm: held.arm.map((x, i) => x + from![i]! - to![i]!) };
  };
  return { pushes: pushes.map(moved), grips: grips.map(moved) };
}

/**
 * Whether a change is a matter of numbers in memory. Methods that use matrices choose patterns and pivots by masses when they
 * are put together; to be what it would be from the start, such a one is put together again.
 */
export function isInPlace(method: Method, difference: Difference): boolean {
  if (difference === "forces") return true;
  if (difference === "geometry") return false;
  return "formulation" in method && method.formulation.needs === "operators";
}

/** The mechanism of a changed model, in new memory and in the state of the one before. `sensors` are those of that. */
export function rebuilt(
  before: Mechanism,
  model: BodySource,
  method: Method,
  difference: Difference,
  sensors: () => Float64Array,
): Mechanism {
  const { source, steps } = before;
  const { time, step, turns } = steps;
  const held = heldAnew(source.plan, model.plan, turns, sensors);
  const { q, v } = withCentres(source.data, model.data, steps);
  const start = difference === "geometry" ? "assemble" : "asGiven";
  const next = held
    ? mechanismOf(model.holding({ q, v, turns: held }), method, step, "assemble")
    : mechanismOf(model, method, step);
  next.steps.setState(q, v, { time, turns: held ?? turns, start });
  next.hand.restore(heldAt(before, model));
  return next;
}
