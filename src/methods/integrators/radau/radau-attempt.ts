import { RadauSprint, RadauTable } from "../../../../assembly/layout-radau.js";
import type { Address, Arena } from "../../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { CompiledOde, DenseShifted, Ode, Sprint } from "../../../seam/index.js";
import type { StepStart } from "../implicit/step-start.js";
import type { IterationTolerance, RadauNewton } from "./radau-newton.js";

/** Steps in one call, for equations whose f and df/dy are compiled, and df/dy dense. */
export class RadauAttempt {
  readonly #compiled: CompiledOde;
  readonly #beginning: StepStart;
  readonly #table: Address;
  readonly #stiff: StiffMemory;
  readonly #sprint: Address;
  #numbers = new Float64Array(RadauSprint.LENGTH);
  #isThere = false;

  /** Undefined for equations of another kind. */
  static of(
    ode: Ode,
    beginning: StepStart,
    newton: RadauNewton,
    filtered: Address,
    workspace: Workspace,
  ): RadauAttempt | undefined {
    const { dense: real } = newton.real;
    const { dense: complex } = newton.complex;
    if (!(ode.compiled && real && complex)) return undefined;
    const made = new RadauAttempt(ode.compiled, beginning, newton, workspace);
    workspace.whenSealed((arena) => {
      const fields = arena.integers(newton.table);
      fields[RadauTable.FILTERED] = filtered;
      made.#write(fields, real, complex, workspace);
    });
    return made;
  }

  private constructor(
    compiled: CompiledOde,
    beginning: StepStart,
    newton: RadauNewton,
    workspace: Workspace,
  ) {
    const sprint = workspace.reserve("radau5 sprint", RadauSprint.LENGTH);
    this.#compiled = compiled;
    this.#beginning = beginning;
    this.#table = newton.table.address;
    this.#stiff = stiffMemory(workspace);
    this.#sprint = sprint.address;
    workspace.whenSealed((arena: Arena) => {
      this.#numbers = arena.floats(sprint);
    });
  }

  /** Attempts a step. False where that did not succeed, and nothing is known. */
  step(t: number, h: number, allowed: IterationTolerance): boolean {
    if (!this.#isThere) return false;
    const evaluations = this.#stiff.kernels.radauAttempt(
      this.#table,
      t,
      h,
      allowed.relative,
      allowed.positions,
      allowed.velocities,
      allowed.part,
      allowed.rounding,
      allowed.iterations,
    );
    if (evaluations === 0) return false;
    this.#compiled.evaluated?.(evaluations);
    this.#beginning.hasEnded();
    return true;
  }

  /** Takes up to `count` steps: see AdaptiveStepper. It leaves those that are not `short` to the run, too. */
  sprint(sprint: Sprint, count: number, allowed: IterationTolerance, short: number): number {
    if (!this.#isThere) return 0;
    const numbers = this.#numbers;
    numbers[RadauSprint.TIME] = sprint.time;
    numbers[RadauSprint.NEXT] = sprint.next;
    numbers[RadauSprint.TARGET] = sprint.target;
    numbers[RadauSprint.BEFORE] = sprint.before;
    numbers[RadauSprint.MAXIMUM] = sprint.maximumStep;
    numbers[RadauSprint.SHORT] = short;
    numbers[RadauSprint.LONGEST_SINCE] = sprint.longestSince;
    const steps = this.#stiff.kernels.radauSprint(
      this.#table,
      this.#sprint,
      count,
      allowed.relative,
      allowed.positions,
      allowed.velocities,
      allowed.part,
      allowed.rounding,
      allowed.iterations,
    );
    sprint.time = numbers[RadauSprint.TIME] as number;
    sprint.next = numbers[RadauSprint.NEXT] as number;
    sprint.longestSince = numbers[RadauSprint.LONGEST_SINCE] as number;
    sprint.shortest = numbers[RadauSprint.SHORTEST] as number;
    sprint.longest = numbers[RadauSprint.LONGEST] as number;
    sprint.last = numbers[RadauSprint.LAST] as number;
    this.#compiled.evaluated?.(numbers[RadauSprint.EVALUATIONS] as number);
    return steps;
  }

  #write(
    fields: Int32Array,
    real: DenseShifted,
    complex: DenseShifted,
    { kernels }: Workspace,
  ): void {
    const functions = this.#compiled.functions();
    if (functions === undefined) return;
    const beginning = this.#beginning;
    const { rate, jacobian } = functions;
    const first = this.#stiff.place([rate, jacobian, kernels.luFactor, kernels.luSolve]);
    for (let i = 0; i < 4; i++) fields[RadauTable.RATE + i] = first + i;
    fields[RadauTable.KNOWN] = beginning.known;
    fields[RadauTable.COUNTS] = beginning.counted;
    fields[RadauTable.SLOPE] = beginning.slope;
    fields[RadauTable.END_SLOPE] = beginning.endSlope;
    fields[RadauTable.TIME] = this.#compiled.time;
    fields[RadauTable.MATRIX] = real.matrix;
    fields[RadauTable.SHIFTED] = real.work;
    fields[RadauTable.REAL_FACTOR] = real.factor;
    fields[RadauTable.COMPLEX_FACTOR] = complex.factor;
    fields[RadauTable.PIVOTS] = complex.pivots;
    fields[RadauTable.SCRATCH] = complex.work;
    this.#isThere = true;
  }
}
