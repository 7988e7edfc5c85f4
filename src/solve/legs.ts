import type { State, System } from "../contracts.js";
import type { Equations } from "../equations/equations.js";
import { EquationSystem } from "../equations/system.js";
import { NodriftError } from "../errors.js";
import { checkMethod, methodName } from "../run/pairs.js";
import { chooseMethod, isLoose } from "./choice.js";
import { Leg } from "./leg.js";
import { giveLeg, type LegKey, takeLeg } from "./leg-pool.js";
import { type Setup, START } from "./setup.js";
import type { Source } from "./source.js";
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
    const { choice } = this.#make(START);
    this.method = methodName(choice.method);
    this.choice = choice.why;
  }

  of(mode: string): Leg<T> {
    const known = this.#legs.get(mode);
    if (known) return known;
    const leg = this.#make(mode);
    const start = this.of(START);
    if (namesIn(leg.system) === namesIn(start.system)) return leg;
    this.#legs.delete(mode);
    throw new NodriftError(
      "STEP",
      `solve: mode "${mode}" has other coordinates than the run started with: ` +
        (start.system.ode
          ? "give the same names, and change the rate only"
          : "leave bodies as they are, and change joints and forces only"),
    );
  }

  /** Names of all modes, whether they have been needed or not. */
  get modes(): readonly string[] {
    return Object.keys(this.#setup.sources);
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

  /** Gives all legs back: the run is over, and nobody else steps it. */
  release(): void {
    for (const [mode, leg] of this.#legs) giveLeg(this.#key(mode), leg);
    this.#legs.clear();
  }

  /** Looks at something in memory for a mode, but not in that of the run, which may be in the midst of a step. */
  borrow<R>(mode: string, look: (leg: Leg<T>) => R): R {
    const key = this.#key(mode);
    const leg = takeLeg<T>(key) ?? this.#new(mode);
    leg.renew(mode, this.#setup.tolerance);
    const found = look(leg);
    giveLeg(key, leg);
    return found;
  }

  #make(mode: string): Leg<T> {
    const idle = takeLeg<T>(this.#key(mode));
    idle?.renew(mode, this.#setup.tolerance);
    const leg = idle ?? this.#new(mode);
    this.#legs.set(mode, leg);
    return leg;
  }

  #new(mode: string): Leg<T> {
    const { tolerance } = this.#setup;
    const { source } = this.#key(mode);
    const system = systemOf(source);
    const { method, why } = chooseMethod(system, this.#setup, tolerance);
    checkMethod(method, system);
    return new Leg<T>(mode, source, { method, why }, tolerance, system);
  }

  #key(mode: string): LegKey {
    const { sources, method, integrator, tolerance, step } = this.#setup;
    const source = Object.hasOwn(sources, mode) ? sources[mode] : undefined;
    if (source === undefined) {
      const names = Object.keys(sources).join('", "');
      throw new NodriftError("STEP", `there is no mode "${mode}"; there are: "${names}"`);
    }
    const chosen = method ?? integrator ?? isLoose(tolerance);
    return { source, method: chosen, fixedSteps: step !== undefined };
  }
}

function namesIn({ positionNames = [], coordinateNames }: System): string {
  return [...positionNames, "and", ...coordinateNames].join();
}

/** A system with memory of its own. */
function systemOf(source: Source): System {
  return "system" in source ? source.system() : new EquationSystem(source as Equations);
}
