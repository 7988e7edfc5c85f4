import { ReentryGuard } from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { CoordinateChoice, ImplicitCosts, State, System } from "../../../interfaces/index.js";
import type { ModelData } from "../../../model/model-data.js";
import { type ModelSettings, NOTHING_SET } from "../../../model/settings.js";
import { publicCoordinates } from "../../public/public-view.js";
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
import {
  type ChangeableSource,
  type HeldSource,
  isChangeable,
  type Source,
} from "../setup/options.js";
import { type Setup, START } from "../setup/setup.js";
import { ModeSolver, parseModeKey, stiffName, variantName } from "./mode-solver.js";
import type { Costs } from "./statistics.js";

/** Maximum number of idle mode solvers for each source. */
const MAX_IDLE_SOLVERS = 4;

/** Key of a pooled mode solver: it can be reused for the same source, method and kind of steps. */
interface SolverPoolKey {
  readonly source: Source;
  readonly method: unknown;
  readonly fixedSteps: boolean;
}

interface Idle {
  readonly key: SolverPoolKey;
  readonly solver: ModeSolver<State>;
}

/**
 * Idle mode solvers, for the next run of the same source: a sweep over initial states or tolerances allocates its
 * memory once. Creating one takes about a millisecond, and engines compile the calls into each WebAssembly instance
 * again, which takes longer than a short run. They are released with their source, or with the last source of its
 * family.
 */
const idle = new WeakMap<object, Idle[]>();

/**
 * Returns the owner of the idle solvers a source may use: its own, and those of sources that differ only in parameter
 * values.
 */
function ownerOf(source: Source): object {
  return ("system" in source ? source.family?.identity : undefined) ?? source;
}

function takeSolver<T extends State>(key: SolverPoolKey): ModeSolver<T> | undefined {
  const list = idle.get(ownerOf(key.source));
  const index = list?.findIndex(
    (each) => isSame(each.key.method, key.method) && each.key.fixedSteps === key.fixedSteps,
  );
  if (list === undefined || index === undefined || index < 0) return undefined;
  // A mode solver creates states of its source: T is the state type of the source.
  return list.splice(index, 1)[0]?.solver as ModeSolver<State> as ModeSolver<T>;
}

function returnSolver<T extends State>(key: SolverPoolKey, solver: ModeSolver<T>): void {
  const owner = ownerOf(key.source);
  const list = idle.get(owner) ?? [];
  list.unshift({ key, solver: solver as ModeSolver<State> });
  list.length = Math.min(list.length, MAX_IDLE_SOLVERS);
  idle.set(owner, list);
}

/** Whether two methods are the same object, or composed of the same parts. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [first, second] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(first);
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => Object.hasOwn(second, name) && first[name] === second[name])
  );
}

/** Maximum number of variants (modes with changed values) kept. */
const MAX_VARIANTS = 6;

/** The mode solvers of a run by mode and kind of method, each created on first use. */
export class ModeSolvers<T extends State> {
  /** Name of the first method, and the reason for choosing it. */
  readonly method: string;
  readonly choice: string;
  readonly coordinateChoice: CoordinateChoice | undefined;
  /** Whether the method for stiff motion is in use. */
  isStiff = false;
  readonly #setup: Setup<T>;
  /** Key of the first mode solver. */
  readonly #first: string;
  readonly #solvers = new Map<string, ModeSolver<T>>();
  /** Modes with changed values, by name. */
  readonly #variants = new Map<string, Source>();
  /** Costs of mode solvers that were dropped. */
  #retired: Costs = { evaluations: 0, factorisations: 0, implicit: undefined };
  /** User functions called while a solution computes a state must not request another state from it. */
  readonly #borrowGuard = new ReentryGuard("the solution");

  /** `acting`: the switching rows that are active at the start. */
  constructor(setup: Setup<T>, acting?: ReadonlySet<string>) {
    this.#setup = setup;
    this.#first = acting ? this.acting(START, acting) : START;
    if (this.#first !== START) this.#checkMethodForAllRows();
    const { choice } = this.#make(this.#first);
    this.method = methodName(choice.method);
    this.choice = choice.why;
    this.coordinateChoice = choice.coordinates;
  }

  /** The mode solver a run begins with. */
  get first(): ModeSolver<T> {
    return this.get(this.#first);
  }

  /**
   * Throws if the method does not support rows like those that become active later. Other failures are reported when
   * they occur.
   */
  #checkMethodForAllRows(): void {
    try {
      const key = this.#key(START);
      returnSolver(key, takeSolver<T>(key) ?? this.#new(START));
    } catch (error) {
      if (error instanceof NodriftError && error.code === "METHOD") throw error;
    }
  }

  /** Returns the solver of a mode, with the kind of method in use. */
  of(mode: string): ModeSolver<T> {
    return this.get(this.isStiff ? stiffName(mode) : mode);
  }

  /** Returns the mode solver with a key. */
  get(key: string): ModeSolver<T> {
    const known = this.#solvers.get(key);
    if (known) return known;
    const solver = this.#make(key);
    const start = this.first;
    if (namesIn(solver.system) === namesIn(start.system)) return solver;
    this.#solvers.delete(key);
    const { mode } = parseModeKey(key);
    throw new NodriftError(
      "STEP",
      `solve: mode "${mode}" must have the same coordinates as the start: ` +
        (start.system.ode
          ? "give the same names, and change the rate only"
          : "leave bodies unchanged, and change joints and forces only"),
    );
  }

  /**
   * Returns the name of a mode with changed values: `given` are the arguments of `set`. If they are rejected, nothing
   * changes.
   */
  changed(variant: string, where: string, given: readonly unknown[]): string {
    const source = this.#sourceOf(variant);
    if (!isChangeable(source)) {
      throw new NodriftError(
        "STEP",
        `${where} is for mechanisms: the values of a system given by functions are in these functions`,
      );
    }
    return this.#named(variant, source, source.settingsAfter(where, given));
  }

  /** Returns the name of a mode with other held coordinates. */
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

  /** Returns the name of a mode in which only these switching rows are active. */
  acting(mode: string, rows: ReadonlySet<string>): string {
    const source = this.#sourceOf(mode);
    const all = (switchingOf(source)?.rows ?? []).map(({ name }) => name);
    const acting = all.filter((row) => rows.has(row));
    if (acting.length === all.length) return mode;
    const name = variantName(mode, { acting });
    // Keep the most recently used last: older ones are dropped first.
    const known = this.#sourceOf(name);
    this.#variants.delete(name);
    this.#variants.set(name, known);
    this.#dropOldVariants(name);
    return name;
  }

  #named(variant: string, source: ChangeableSource, settings: object): string {
    const { mode } = parseModeKey(variant);
    const isUntouched = JSON.stringify(settings) === JSON.stringify(NOTHING_SET);
    const name = isUntouched ? mode : variantName(mode, settings);
    if (!isUntouched && !this.#variants.has(name)) {
      this.#variants.set(name, source.withSettings(settings).model);
    }
    this.#dropOldVariants(variant, name);
    return name;
  }

  /**
   * Drops all but the last few variants, as values may be set at every event. A solution recreates the others on
   * request.
   */
  #dropOldVariants(...kept: readonly string[]): void {
    const old = [...this.#variants.keys()].slice(0, -MAX_VARIANTS);
    for (const name of old.filter((each) => !kept.includes(each))) {
      this.#variants.delete(name);
      for (const key of [name, stiffName(name)]) {
        const solver = this.#solvers.get(key);
        if (solver) this.#retired = sumOf(this.#retired, [solver]);
        this.#solvers.delete(key);
      }
    }
  }

  /** Returns the name of another mode with the changed values of this one. */
  switched(variant: string, mode: string): string {
    const { settings } = parseModeKey(variant);
    const isPlain = settings === undefined || !isChangeable(this.#sourceOf(mode));
    return isPlain ? mode : variantName(mode, JSON.parse(settings));
  }

  /** Returns the source of a mode, with its changed values. */
  #sourceOf(variant: string): Source {
    const known = this.#variants.get(variant);
    if (known) return known;
    const { mode, settings } = parseModeKey(variant);
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

  /** Names of all modes, used or not. */
  get modes(): readonly string[] {
    return Object.keys(this.#setup.sources);
  }

  entries(): IterableIterator<[string, ModeSolver<T>]> {
    return this.#solvers.entries();
  }

  /** Drops all other mode solvers; they are recreated on demand. */
  keepOnly(keys: readonly string[]): void {
    for (const key of this.#solvers.keys()) if (!keys.includes(key)) this.#solvers.delete(key);
  }

  /** The method for stiff motion, if it was ever needed. */
  get stiffMethod(): string | undefined {
    for (const [key, { choice }] of this.#solvers) {
      if (parseModeKey(key).isStiff) return methodName(choice.method);
    }
    return undefined;
  }

  /** Whether the method may change: only if the user chose none. */
  get mayChange(): boolean {
    const { method, integrator, step } = this.#setup;
    return method === undefined && integrator === undefined && step === undefined;
  }

  costs(): Costs {
    return sumOf(this.#retired, this.#solvers.values());
  }

  /** Returns all mode solvers to the pool. Call when the run is over and takes no more steps. */
  release(): void {
    for (const [key, solver] of this.#solvers) returnSolver(this.#key(key), solver);
    this.#solvers.clear();
  }

  /**
   * Evaluates with mode solvers of its own, because those of the run may be in the middle of a step. The solver of a
   * mode is prepared once and reused while it is requested repeatedly: preparing it costs more than a state.
   */
  borrow<R>(viewer: (solverOf: (key: string) => ModeSolver<T>) => R): R {
    this.#borrowGuard.enter("at");
    try {
      let held: { readonly key: string; readonly solver: ModeSolver<T> } | undefined;
      const returnHeld = () => held && returnSolver(this.#key(held.key), held.solver);
      const found = viewer((key) => {
        if (held?.key === key) return held.solver;
        returnHeld();
        const pooled = this.#key(key);
        const solver = takeSolver<T>(pooled) ?? this.#new(key);
        solver.renew(pooled.source, parseModeKey(key).mode, key, this.#setup.tolerance);
        held = { key, solver };
        return solver;
      });
      returnHeld();
      return found;
    } finally {
      this.#borrowGuard.leave();
    }
  }

  #make(key: string): ModeSolver<T> {
    const pooled = this.#key(key);
    const idle = takeSolver<T>(pooled);
    idle?.renew(pooled.source, parseModeKey(key).mode, key, this.#setup.tolerance);
    const solver = idle ?? this.#new(key);
    const [from, to] = this.#setup.span;
    solver.trial.watch(to - from);
    this.#solvers.set(key, solver);
    return solver;
  }

  #new(key: string): ModeSolver<T> {
    const { tolerance, step } = this.#setup;
    const { mode, isStiff } = parseModeKey(key);
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
    return new ModeSolver<T>({ mode, key }, source, choice, tolerance, own);
  }

  #key(key: string): SolverPoolKey {
    const { method, integrator, tolerance, step } = this.#setup;
    const { variant, isStiff } = parseModeKey(key);
    const source = this.#sourceOf(variant);
    const kinds = isStiff
      ? [isCoarse(tolerance, true), isCoarse(tolerance, false)]
      : [isLoose(tolerance)];
    const chosen = method ?? integrator ?? `${isStiff} ${kinds.join()}`;
    return { source, method: chosen, fixedSteps: step !== undefined };
  }
}

function sumOf<T extends State>(before: Costs, solvers: Iterable<ModeSolver<T>>): Costs {
  let { evaluations, factorisations, implicit } = before;
  for (const { trial, system } of solvers) {
    evaluations += trial.evaluations;
    factorisations += system.dynamics.factorisations;
    implicit = sumOfImplicit(implicit, trial.costs);
  }
  return { evaluations, factorisations, implicit };
}

/** Sums the costs of two mode solvers, as copies. */
function sumOfImplicit(
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
  const { positionNames = [], velocityNames } = publicCoordinates(system);
  return [...positionNames, "and", ...velocityNames].join();
}
