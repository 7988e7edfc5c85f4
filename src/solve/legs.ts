import type { State } from "../contracts.js";
import { NodriftError } from "../errors.js";
import { methodName } from "../run/pairs.js";
import { chooseMethod } from "./choice.js";
import { Leg, systemOf } from "./leg.js";
import { type Setup, START } from "./setup.js";
import type { Costs } from "./statistics.js";

/** The legs of a run by their mode, each made when it is first needed. */
export class Legs<T extends State> {
  /** The method of the first leg, and why it was taken. */
  readonly method: string;
  readonly choice: string;
  readonly #setup: Setup<T>;
  readonly #legs = new Map<string, Leg<T>>();

  constructor(setup: Setup<T>) {
    this.#setup = setup;
    const { method, choice } = this.#make(START);
    this.method = method;
    this.choice = choice;
  }

  of(mode: string): Leg<T> {
    const known = this.#legs.get(mode);
    if (known) return known;
    const { leg } = this.#make(mode);
    const start = this.of(START);
    if (leg.system.coordinateNames.join() === start.system.coordinateNames.join()) return leg;
    this.#legs.delete(mode);
    throw new NodriftError(
      "STEP",
      `solve: mode "${mode}" has other coordinates than the run started with: leave bodies as they are, and ` +
        "change joints and forces only",
    );
  }

  entries(): IterableIterator<[string, Leg<T>]> {
    return this.#legs.entries();
  }

  /** Forgets all but some: they begin anew when they are needed. */
  keepOnly(modes: readonly string[]): void {
    for (const mode of this.#legs.keys()) if (!modes.includes(mode)) this.#legs.delete(mode);
  }

  costs(): Costs {
    let evaluations = 0;
    let factorisations = 0;
    for (const { motion, system } of this.#legs.values()) {
      evaluations += motion.evaluations;
      factorisations += system.factorisations;
    }
    return { evaluations, factorisations };
  }

  #make(mode: string): { leg: Leg<T>; method: string; choice: string } {
    const { sources, tolerance } = this.#setup;
    const source = Object.hasOwn(sources, mode) ? sources[mode] : undefined;
    if (source === undefined) {
      const names = Object.keys(sources).join('", "');
      throw new NodriftError("STEP", `there is no mode "${mode}"; there are: "${names}"`);
    }
    const system = systemOf(source);
    const { method, why } = chooseMethod(system, this.#setup, tolerance);
    const leg = new Leg<T>(mode, source, method, tolerance, system);
    this.#legs.set(mode, leg);
    return { leg, method: methodName(method), choice: why };
  }
}
