import { argument, show, text } from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { State } from "../../../interfaces/index.js";
import type { Joint } from "../../../model/handles.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { EventContext, UnknownsOf } from "../setup/event-options.js";
import type { Occurrence } from "./event-location.js";

/** Requests made by actions. */
export interface ActionRequests {
  mode: string | undefined;
  stop: string | undefined;
  /** Indices of the events whose rate an action reversed. */
  readonly bounced: Set<number>;
}

/** Data shared by all actions at one time. */
export interface EventInstant<T extends State> {
  readonly time: number;
  readonly before: T;
  readonly events: readonly string[];
  /** 1, or -1 if the run integrates backwards. */
  readonly direction: number;
  /** Names of the modes that can be switched to. */
  readonly modes: readonly string[];
  /** Returns the name of a mode with changed values. */
  changed(variant: string, where: string, given: readonly unknown[]): string;
  /** Returns the name of a mode in which a joint is locked or unlocked. */
  held(variant: string, where: "lock" | "unlock", joint: string | Joint): string;
  /** Returns the name of another mode with the values of this one. */
  switched(variant: string, mode: string): string;
}

/** Creates the context of one action, which reads and changes the accepted state of a mode solver. */
export function eventContext<T extends State>(
  solver: ModeSolver<T>,
  { event, rising }: Occurrence<T>,
  instant: EventInstant<T>,
  requests: ActionRequests,
): EventContext<T> {
  const { q, v, system } = solver;
  const { time, before, events, direction, modes } = instant;
  return Object.freeze<EventContext<T>>({
    events,
    time,
    before,
    q,
    v,
    y: (system.ode && q) as UnknownsOf<T>,
    bounce(restitution = 1) {
      if (system.ode) {
        throw new NodriftError(
          "STEP",
          `bounce() needs velocities; ${system.name} is an ODE: change y instead`,
        );
      }
      if (
        !(
          typeof restitution === "number" &&
          restitution >= 0 &&
          restitution < Number.POSITIVE_INFINITY
        )
      ) {
        throw new NodriftError(
          "STEP",
          `restitution is ${show(restitution)}; give a number from 0 (no bounce) to 1 (elastic)`,
        );
      }
      requests.bounced.add(event.index);
      const value = (t: number) => event.value(solver.viewer.atShown(t));
      return solver.bounce(time, restitution, (rising ? 1 : -1) * direction, value);
    },
    switchTo(mode) {
      if (!modes.includes(mode)) {
        const names = modes.join('", "');
        throw new NodriftError("STEP", `there is no mode ${show(mode)}; there are: "${names}"`);
      }
      requests.mode = instant.switched(requests.mode ?? solver.variant, mode);
    },
    set: (...given: readonly unknown[]) => {
      requests.mode = instant.changed(requests.mode ?? solver.variant, "set", given);
    },
    lock: (joint) => {
      requests.mode = instant.held(requests.mode ?? solver.variant, "lock", joint);
    },
    unlock: (joint) => {
      requests.mode = instant.held(requests.mode ?? solver.variant, "unlock", joint);
    },
    stop(reason = `stopped by event "${event.name}"`) {
      requests.stop = argument("stop", "STEP", "the reason", reason, text);
    },
  });
}
