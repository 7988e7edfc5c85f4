import type { Joint } from "../../../describe/model/handles.js";
import { argument, show, text } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";
import type { EventContext, UnknownsOf } from "../setup/event-options.js";
import type { Occurrence } from "./event-location.js";

/** What actions asked for. */
export interface ActionRequests {
  mode: string | undefined;
  stop: string | undefined;
  /** Indices of the events whose rate an action reversed. */
  readonly bounced: Set<number>;
}

/** What all actions at a time share. */
export interface EventInstant<T extends State> {
  readonly time: number;
  readonly before: T;
  readonly events: readonly string[];
  /** 1, or -1 where the run goes back in time. */
  readonly direction: number;
  /** Names of the modes that can be switched to. */
  readonly modes: readonly string[];
  /** The name of a mode with other numbers. */
  changed(variant: string, where: string, given: readonly unknown[]): string;
  /** The name of a mode in which a joint is locked, or free. */
  held(variant: string, where: "lock" | "unlock", joint: string | Joint): string;
  /** The name of another mode with the numbers of this one. */
  switched(variant: string, mode: string): string;
}

/** What one action of an event can see and do: it works on the accepted state of a leg. */
export function eventContext<T extends State>(
  leg: Leg<T>,
  { event, rising }: Occurrence<T>,
  instant: EventInstant<T>,
  wishes: ActionRequests,
): EventContext<T> {
  const { q, v, system } = leg;
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
      wishes.bounced.add(event.index);
      const value = (t: number) => event.value(leg.look.atShown(t));
      return leg.bounce(time, restitution, (rising ? 1 : -1) * direction, value);
    },
    switchTo(mode) {
      if (!modes.includes(mode)) {
        const names = modes.join('", "');
        throw new NodriftError("STEP", `there is no mode ${show(mode)}; there are: "${names}"`);
      }
      wishes.mode = instant.switched(wishes.mode ?? leg.variant, mode);
    },
    set: (...given: readonly unknown[]) => {
      wishes.mode = instant.changed(wishes.mode ?? leg.variant, "set", given);
    },
    lock: (joint) => {
      wishes.mode = instant.held(wishes.mode ?? leg.variant, "lock", joint);
    },
    unlock: (joint) => {
      wishes.mode = instant.held(wishes.mode ?? leg.variant, "unlock", joint);
    },
    stop(reason = `stopped by event "${event.name}"`) {
      wishes.stop = argument("stop", "STEP", "the reason", reason, text);
    },
  });
}
