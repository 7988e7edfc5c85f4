// What formulas are compiled to, once for all systems that are made of them.

import { allPartsOf } from "../../describe/compiled/function-spec.js";
import type { DerivedEquations } from "../../describe/symbolic/derive.js";
import type { Arena, Segment } from "../../ground/memory/arena.js";
import { derivativeFunction, implicitPatterns, motionFunctions } from "./derivatives.js";
import { type FormulaFunctions, FormulaModule } from "./formula-module.js";
import { type FormulaMemory, functionsOf } from "./formula-plan.js";
import { stepModule } from "./step-module.js";

/** Times as many operations at a state as its constraints have. */
const MUCH = 3;

export class FormulaPrograms {
  readonly equations: DerivedEquations;
  readonly isInterpreted: boolean;
  #main: FormulaModule | undefined;
  #motion: FormulaModule | undefined;
  #steps: FormulaModule | undefined;
  #patterns: ReturnType<typeof implicitPatterns> | undefined;
  /** By the addresses it writes to: methods reserve theirs before. */
  readonly #derivatives = new Map<number, FormulaModule>();

  constructor(equations: DerivedEquations, isInterpreted: boolean) {
    this.equations = equations;
    this.isInterpreted = isInterpreted;
  }

  /**
   * Whether it pays to evaluate constraints alone: what else there is at a state costs more than the sines of constraints, which
   * would be found twice.
   */
  separatesConstraints = false;

  /** Functions for every state. */
  functionsIn(arena: Arena, memory: FormulaMemory): FormulaFunctions {
    if (!this.#main) {
      const specs = functionsOf(this.equations, memory);
      const sizeOf = (name: string) => {
        const { outputs, given } = specs.find((spec) => spec.name === name)!;
        return allPartsOf(
          outputs.map(({ node }) => node),
          given,
        ).length;
      };
      this.separatesConstraints = sizeOf("evaluate") > MUCH * sizeOf("place");
      this.#main = new FormulaModule(specs, memory.scratch);
    }
    return this.#main.in(arena, this.isInterpreted);
  }

  /** Derivatives along the motion and of energies, which few methods want. */
  motionIn(arena: Arena, memory: FormulaMemory): FormulaFunctions {
    this.#motion ??= new FormulaModule(motionFunctions(this.equations, memory), memory.scratch);
    return this.#motion.in(arena, this.isInterpreted);
  }

  /** Slopes and steps in one call, over the functions for every state. None where more than kernels takes part in them. */
  stepsIn(
    arena: Arena,
    memory: FormulaMemory,
    functions: FormulaFunctions,
  ): FormulaFunctions | undefined {
    const isSolvedOut = functions.factor !== undefined;
    if (this.isInterpreted || !isSolvedOut || this.equations.forceFunctions.length > 0) {
      return undefined;
    }
    this.#steps ??= stepModule(this.equations, memory);
    const steps = this.#steps.in(arena, false, functions);
    // Where the host compiles nothing only formulas are there, interpreted.
    return steps.stages ? steps : undefined;
  }

  patterns(): ReturnType<typeof implicitPatterns> {
    this.#patterns ??= implicitPatterns(this.equations);
    return this.#patterns;
  }

  /** Derivatives that implicit methods want. */
  derivativesIn(
    arena: Arena,
    memory: FormulaMemory,
    rowValues: Segment,
    forceValues: Segment,
  ): FormulaFunctions {
    const key = rowValues.address;
    const known = this.#derivatives.get(key);
    const module =
      known ??
      new FormulaModule(
        [derivativeFunction(this.equations, memory, this.patterns(), rowValues, forceValues)],
        memory.scratch,
      );
    this.#derivatives.set(key, module);
    return module.in(arena, this.isInterpreted);
  }
}
