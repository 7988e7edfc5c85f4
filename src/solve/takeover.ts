import type { State } from "../contracts.js";
import { methodName } from "../run/pairs.js";
import { Stopped } from "../watch.js";
import { messageOf } from "./failure.js";
import type { Leg } from "./leg.js";
import type { Legs } from "./legs.js";

/**
 * Changes of the method on the way, where none was asked for: an implicit one takes over where the motion is
 * stiff. Should it come to where it cannot go on, the explicit one, which goes through singular poses, takes
 * over for the rest.
 */
export class Takeover<T extends State> {
  readonly #legs: Legs<T>;
  readonly #notes: string[];
  /** It has been tried, and given up. */
  #isOver = false;

  constructor(legs: Legs<T>, notes: string[]) {
    this.#legs = legs;
    this.#notes = notes;
  }

  save(): readonly number[] {
    return [this.#isOver ? 1 : 0];
  }

  restore([isOver = 0]: readonly number[]): void {
    this.#isOver = isOver === 1;
  }

  /** The motion is stiff: the leg that goes on from the accepted state of another. */
  byImplicit(leg: Leg<T>, t: number): Leg<T> {
    const legs = this.#legs;
    if (!legs.mayChange || legs.isStiff || this.#isOver) return leg;
    const error = leg.positionError(t);
    legs.isStiff = true;
    try {
      const next = legs.of(leg.mode);
      this.#hand(leg, next, t, error);
      this.#notes.push(
        `the motion is stiff: stability, not accuracy, limited the steps of ${nameOf(leg)}. From t = ${t} on ` +
          `it is solved by ${nameOf(next)}`,
      );
      return next;
    } catch (cause) {
      if (cause instanceof Stopped) {
        legs.isStiff = false;
        throw cause;
      }
      this.#giveUp(`the method for stiff motion does not take it: ${messageOf(cause)}`);
      return leg;
    }
  }

  /** The implicit method failed: the explicit leg that goes on, if that can be. */
  byExplicit(leg: Leg<T>, t: number, cause: unknown): Leg<T> | undefined {
    const legs = this.#legs;
    if (!legs.mayChange || !legs.isStiff) return undefined;
    this.#giveUp(
      `at t = ${t} ${nameOf(leg)} could not go on, and an explicit method took over: ${messageOf(cause)}`,
    );
    const next = legs.of(leg.mode);
    this.#hand(leg, next, t, leg.positionError(t));
    return next;
  }

  #hand(leg: Leg<T>, next: Leg<T>, t: number, error: number): void {
    next.takeFrom(leg, t);
    next.goOn(t, 2 * error);
  }

  #giveUp(why: string): void {
    this.#legs.isStiff = false;
    this.#isOver = true;
    this.#notes.push(why);
  }
}

function nameOf<T extends State>({ choice }: Leg<T>): string {
  return methodName(choice.method);
}
