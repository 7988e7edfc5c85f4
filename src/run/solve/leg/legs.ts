import type { ModelData } from "../../../describe/model/model-data.js";
import { type ModelSettings, NOTHING_SET } from "../../../describe/settings.js";
import { ReentryGuard } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { CoordinateChoice, ImplicitCosts, State, System } from "../../../seam/index.js";
import { shownCoordinates } from "../../public/state-view.js";
import { checkMethod, methodName } from "../../stepping/compatibility.js";
import { choiceFor, systemFor } from "../../stepping/coordinate-choice.js";
import { switchingOf, systemOf } from "../../stepping/source.js";
import {
  type Choice,
  chooseMethod,
  chooseStiff,
  isCoarse,
  isLoose,
} from "../setup/method-choice.js";
import { type Setup, START } from "../setup/setup.js";
import {
  type ChangeableSource,
  type HeldSource,
  isChangeable,
  type Source,
} from "../setup/source.js";
import { Leg } from "./leg.js";
import { legName, stiffName, variantName } from "./leg-name.js";
import { giveLeg, type LegKey, takeLeg } from "./leg-pool.js";
import type { Costs } from "./statistics.js";

/** Legs whose numbers have been set that are kept at most. */
const MOST_VARIANTS = 6;

/** The legs of a run by their mode and kind of method, each made when it is first needed. */
export class Legs<T extends State> {
  /** The method of the first leg, and why it was taken. */
  readonly method: string;
  readonly choice: string;
  readonly coordinateChoice: CoordinateChoice | undefined;
  /** The method for stiff motion has taken over. */
  isStiff = false;
  readonly #setup: Setup<T>;
  /** The key of the leg a run begins with. */
  readonly #first: string;
  readonly #legs = new Map<string, Leg<T>>();
  /** Modes whose numbers have been set, by their names. */
  readonly #variants = new Map<string, Source>();
  /** Costs of legs that are gone. */
  #retired: Costs = { evaluations: 0, factorisations: 0, implicit: undefined };
  /** User functions called while a solution computes a state must not request another state from it. */
  readonly #borrowing = new ReentryGuard("the solution");

  /** `acting` are the rows that act at the start, of those that switch. */
  constructor(setup: Setup<T>, acting?: ReadonlySet<string>) {
    this.#setup = setup;
    this.#first = acting ? this.acting(START, acting) : START;
    if (this.#first !== START) this.#refuseMethod();
    const { choice } = this.#make(this.#first);
    this.method = methodName(choice.method);
    this.choice = choice.why;
    this.coordinateChoice = choice.coordinates;
  }

  /** The leg a run begins with. */
  get first(): Leg<T> {
    return this.get(this.#first);
  }

  /** Throws at the start if the method takes no rows like those that begin to act later. Other failures are theirs. */
  #refuseMethod(): void {
    try {
      const key = this.#key(START);
      giveLeg(key, takeLeg<T>(key) ?? this.#new(START));
    } catch (error) {
      if (error instanceof NodriftError && error.code === "METHOD") throw error;
    }
  }

  /** The leg of a mode, with the kind of method that is in use. */
  of(mode: string): Leg<T> {
    return this.get(this.isStiff ? stiffName(mode) : mode);
  }

  /** The leg with a key. */
  get(key: string): Leg<T> {
    const known = this.#legs.get(key);
    if (known) return known;
    const leg = this.#make(key);
    const start = this.first;
    if (namesIn(leg.system) === namesIn(start.system)) return leg;
    this.#legs.delete(key);
    const { mode } = legName(key);
    throw new NodriftError(
      "STEP",
      `solve: mode "${mode}" must have the same coordinates as the start: ` +
        (start.system.ode
          ? "give the same names, and change the rate only"
          : "leave bodies unchanged, and change joints and forces only"),
    );
  }

  /** The name of a mode with other numbers: `given` is what `set` was called with. Nothing changes where it is refused. */
  changed(variant: string, where: string, given: readonly unknown[]): string {
    const source = this.#sourceOf(variant);
    if (!isChangeable(source)) {
      throw new NodriftError(
        "STEP",
        `${where} is for mechanisms: numbers of a system that is given by functions are in these functions`,
      );
    }
    return this.#named(variant, source, source.settingsAfter(where, given));
  }

  /** The name of a mode in which other things are held. */
  held(
    variant: string,
    change: (settings: ModelSettings, data: ModelData) => ModelSettings,
  ): string {
    const source = this.#sourceOf(variant);
    const { data, settings } = source as Partial<HeldSource>;
    if (!isChangeable(source) || !data || !settings) {
      throw new NodriftError("STEP", "lock and unlock are for joints of compiled mechanisms");
    }
    return this.#named(variant, source, change(settings, data));
  }

  /** The name of a mode in which only some of the rows that switch act. */
  acting(mode: string, rows: ReadonlySet<string>): string {
    const source = this.#sourceOf(mode);
    const all = (switchingOf(source)?.rows ?? []).map(({ name }) => name);
    const acting = all.filter((row) => rows.has(row));
    if (acting.length === all.length) return mode;
    const name = variantName(mode, { acting });
    // The last one that was used comes last: others are forgotten before it.
    const known = this.#sourceOf(name);
    this.#variants.delete(name);
    this.#variants.set(name, known);
    this.#forgetOld(name);
    return name;
  }

  #named(variant: string, source: ChangeableSource, settings: object): string {
    const { mode } = legName(variant);
    const isUntouched = JSON.stringify(settings) === JSON.stringify(NOTHING_SET);
    const name = isUntouched ? mode : variantName(mode, settings);
    if (!isUntouched && !this.#variants.has(name)) {
      this.#variants.set(name, source.withSettings(settings).model);
    }
    this.#forgetOld(variant, name);
    return name;
  }

  /** Numbers may be set at every event: only the last few such legs are kept. Others are made again if a solution asks. */
  #forgetOld(...kept: readonly string[]): void {
    const old = [...this.#variants.keys()].slice(0, -MOST_VARIANTS);
    for (const name of old.filter((each) => !kept.includes(each))) {
      this.#variants.delete(name);
      for (const key of [name, stiffName(name)]) {
        const leg = this.#legs.get(key);
        if (leg) this.#retired = sumOf(this.#retired, [leg]);
        this.#legs.delete(key);
      }
    }
  }

  /** The name of another mode with what has been set of this one. */
  switched(variant: string, mode: string): string {
    const { settings } = legName(variant);
    const isPlain = settings === undefined || !isChangeable(this.#sourceOf(mode));
    return isPlain ? mode : variantName(mode, JSON.parse(settings));
  }

  /** The source of a mode, with what has been set of it. */
  #sourceOf(variant: string): Source {
    const known = this.#variants.get(variant);
    if (known) return known;
    const { mode, settings } = legName(variant);
    const { sources } = this.#setup;
    const source = Object.hasOwn(sources, mode) ? sources[mode] : undefined;
    if (source === undefined) {
      const names = Object.keys(sources).join('", "');
      throw new NodriftError("STEP", `there is no mode "${mode}"; there are: "${names}"`);
    }
    if (settings === undefined) return source;
    const made = isChangeable(source)
      ? source.withSettings(JSON.parse(settings)).model
      : switchingOf(source)?.with(new Set(JSON.parse(settings).acting));
    if (made === undefined) return source;
    this.#variants.set(variant, made);
    return made;
  }

  /** Names of all modes, whether they have been needed or not. */
  get modes(): readonly string[] {
    return Object.keys(this.#setup.sources);
  }

  entries(): IterableIterator<[string, Leg<T>]> {
    return this.#legs.entries();
  }

  /** Forgets all but some: they begin again when they are needed. */
  keepOnly(keys: readonly string[]): void {
    for (const key of this.#legs.keys()) if (!keys.includes(key)) this.#legs.delete(key);
  }

  /** The method for stiff motion, if it was ever needed. */
  get stiffMethod(): string | undefined {
    for (const [key, { choice }] of this.#legs) {
      if (legName(key).isStiff) return methodName(choice.method);
    }
    return undefined;
  }

  /** Another method may take over where none was asked for. */
  get mayChange(): boolean {
    const { method, integrator, step } = this.#setup;
    return method === undefined && integrator === undefined && step === undefined;
  }

  costs(): Costs {
    return sumOf(this.#retired, this.#legs.values());
  }

  /** Returns all legs to the pool: the run is over and takes no more steps. */
  release(): void {
    for (const [key, leg] of this.#legs) giveLeg(this.#key(key), leg);
    this.#legs.clear();
  }

  /**
   * Evaluates in separate legs of modes, because the run's own may be in the middle of a step. The leg of a mode is made ready once for as long as
   * it is asked for again: that costs more than a state.
   */
  borrow<R>(look: (legOf: (key: string) => Leg<T>) => R): R {
    this.#borrowing.enter("at");
    try {
      let held: { readonly key: string; readonly leg: Leg<T> } | undefined;
      const giveBack = () => held && giveLeg(this.#key(held.key), held.leg);
      const found = look((key) => {
        if (held?.key === key) return held.leg;
        giveBack();
        const pooled = this.#key(key);
        const leg = takeLeg<T>(pooled) ?? this.#new(key);
        leg.renew(pooled.source, legName(key).mode, key, this.#setup.tolerance);
        held = { key, leg };
        return leg;
      });
      giveBack();
      return found;
    } finally {
      this.#borrowing.leave();
    }
  }

  #make(key: string): Leg<T> {
    const pooled = this.#key(key);
    const idle = takeLeg<T>(pooled);
    idle?.renew(pooled.source, legName(key).mode, key, this.#setup.tolerance);
    const leg = idle ?? this.#new(key);
    const [from, to] = this.#setup.span;
    leg.motion.watch(to - from);
    this.#legs.set(key, leg);
    return leg;
  }

  #new(key: string): Leg<T> {
    const { tolerance, step } = this.#setup;
    const { mode, isStiff } = legName(key);
    const { source } = this.#key(key);
    const system = systemOf(source);
    const chosen = isStiff
      ? chooseStiff(system, tolerance)
      : chooseMethod(system, this.#setup, tolerance);
    const coordinates = choiceFor(
      chosen.method,
      system,
      "system" in source ? source.coordinateChoice : undefined,
    );
    const choice: Choice = { ...chosen, coordinates, hasFixedSteps: step !== undefined };
    const own = systemFor(choice.method, system);
    checkMethod(choice.method, own);
    return new Leg<T>({ mode, key }, source, choice, tolerance, own);
  }

  #key(key: string): LegKey {
    const { method, integrator, tolerance, step } = this.#setup;
    const { variant, isStiff } = legName(key);
    const source = this.#sourceOf(variant);
    const kinds = isStiff
      ? [isCoarse(tolerance, true), isCoarse(tolerance, false)]
      : [isLoose(tolerance)];
    const chosen = method ?? integrator ?? `${isStiff} ${kinds.join()}`;
    return { source, method: chosen, fixedSteps: step !== undefined };
  }
}

function sumOf<T extends State>(before: Costs, legs: Iterable<Leg<T>>): Costs {
  let { evaluations, factorisations, implicit } = before;
  for (const { motion, system } of legs) {
    evaluations += motion.evaluations;
    factorisations += system.dynamics.factorisations;
    implicit = together(implicit, motion.costs);
  }
  return { evaluations, factorisations, implicit };
}

/** Costs of two legs; numbers are copied. */
function together(
  a: ImplicitCosts | undefined,
  b: ImplicitCosts | undefined,
): ImplicitCosts | undefined {
  if (b === undefined) return a;
  return {
    jacobianSource: b.jacobianSource,
    jacobians: (a?.jacobians ?? 0) + b.jacobians,
    factorisations: (a?.factorisations ?? 0) + b.factorisations,
    convergenceFailures: (a?.convergenceFailures ?? 0) + b.convergenceFailures,
    checks: (a?.checks ?? 0) + b.checks,
  };
}

function namesIn(system: System): string {
  const { positionNames = [], velocityNames } = shownCoordinates(system);
  return [...positionNames, "and", ...velocityNames].join();
}
