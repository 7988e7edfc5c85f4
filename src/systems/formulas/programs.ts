// Compiled programs of formulas, shared by all systems with these formulas.

import { Code, F64, type FunctionBody, I32 } from "../../base/emit/module-writer.js";
import type { Arena, Segment } from "../../base/memory/arena.js";
import type { Extra, ImportedKernel } from "../../formulas/compiled/compile.js";
import { allPartsOf, type Place } from "../../formulas/compiled/function-spec.js";
import type { DerivedEquations } from "../../formulas/symbolic/derive.js";
import { derivativeFunction, implicitPatterns, motionFunctions } from "./derivatives.js";
import { type FormulaFunctions, FormulaModule } from "./formula-module.js";
import {
  type FormulaMemory,
  functionsOf,
  phiFunction,
  shapeOf,
  solvePlaces,
} from "./formula-plan.js";
import { solveAtOnce } from "./solve-graph.js";
import { motionSlope, returnUnless, STAGE_KERNELS, stagesFunction } from "./stages.js";

// Steps of methods that embed the constraints in their formula (Hong et al. 2006, Welch et al. 2007) in one call. The
// order of operations is that of src/methods/coupled with its kernels, and so are the bits. Sums and products of
// vectors are unrolled for the size of the system, which takes less time than a kernel call for each.

/** `predict` and `embed`: 1, or 0 if the general kernels must solve. */
function embeddingFunctions(equations: DerivedEquations, memory: FormulaMemory): Extra[] {
  const places = placesOf(equations, memory);
  return [predictFunction(places), embedFunction(places)];
}

type Places = ReturnType<typeof placesOf>;

function placesOf(equations: DerivedEquations, memory: FormulaMemory) {
  const n = equations.q.length;
  const at = (offset: number): Place => ({ offset });
  return {
    n,
    rows: equations.jacobian.length,
    holonomic: equations.phi.length,
    q: at(memory.state.address),
    v: at(memory.state.address + 8 * n),
    trialQ: at(memory.trial.address),
    trialV: at(memory.trial.address + 8 * n),
    time: memory.numbers.address,
    phi: at(memory.phi.address),
    phiDot: at(memory.phiDot.address),
    gamma: at(memory.gamma.address),
  };
}

/** Values at an address that is a parameter. */
const behind = (parameter: number): Place => ({ parameter, offset: 0 });

/** Writes the operations of steps. */
class StepWriter {
  readonly body: FunctionBody;
  readonly #call: (name: string) => number;
  readonly #places: Places;

  constructor(body: FunctionBody, call: (name: string) => number, places: Places) {
    this.body = body;
    this.#call = call;
    this.#places = places;
  }

  /** A value that is computed once. */
  scalar(write: () => void): number {
    const local = this.body.local(F64);
    write();
    this.body.set(local);
    return local;
  }

  /** `over` / h, or over h squared. */
  quotient(over: number, h: number, isSquared: boolean): number {
    const { body } = this;
    return this.scalar(() => {
      body.float(over);
      body.get(h);
      if (isSquared) {
        body.get(h);
        body.code(Code.F64Multiply);
      }
      body.code(Code.F64Divide);
    });
  }

  call(name: string): void {
    this.body.call(this.#call(name));
  }

  address({ parameter, offset }: Place): void {
    const { body } = this;
    if (parameter === undefined) {
      body.integer(offset);
      return;
    }
    body.get(parameter);
    if (offset === 0) return;
    body.integer(offset);
    body.code(Code.I32Add);
  }

  /** Writes a value for each index of `out`. */
  each(count: number, out: Place, write: (index: number) => void): void {
    for (let i = 0; i < count; i++) {
      this.#base(out);
      write(i);
      this.body.store(out.offset + 8 * i);
    }
  }

  load(place: Place, index: number): void {
    this.#base(place);
    this.body.load(place.offset + 8 * index);
  }

  #base({ parameter }: Place): void {
    if (parameter === undefined) this.body.integer(0);
    else this.body.get(parameter);
  }

  copy(count: number, from: Place, to: Place): void {
    this.each(count, to, (i) => this.load(from, i));
  }

  /** out = y + alpha x. */
  axpy(alpha: number, x: Place, y: Place, out: Place): void {
    this.each(this.#places.n, out, (i) => {
      this.load(y, i);
      this.load(x, i);
      this.#times(alpha);
      this.body.code(Code.F64Add);
    });
  }

  #times(factor: number): void {
    this.body.get(factor);
    this.body.code(Code.F64Multiply);
  }

  /** right = 0 - onVelocity phiDot - onPosition phi in the holonomic rows. */
  holonomicRight(onVelocity: number, phiDot: Place, onPosition: number, phi: Place, right: Place) {
    const { body } = this;
    this.each(this.#places.holonomic, right, (i) => {
      body.float(0);
      this.load(phiDot, i);
      this.#times(onVelocity);
      body.code(Code.F64Subtract);
      this.load(phi, i);
      this.#times(onPosition);
      body.code(Code.F64Subtract);
    });
  }

  /** right = gamma - pi / h - 0 in the other rows. */
  nonholonomicRight(inverse: number, pi: Place, right: Place): void {
    const { holonomic, rows, gamma } = this.#places;
    const { body } = this;
    const later = (place: Place) => ({ ...place, offset: place.offset + 8 * holonomic });
    this.each(rows - holonomic, later(right), (i) => {
      this.load(later(gamma), i);
      this.load(later(pi), i);
      this.#times(inverse);
      body.code(Code.F64Subtract);
      body.float(0);
      body.code(Code.F64Subtract);
    });
  }

  /** Evaluates everything at the trial state, at the time on the stack. */
  setTime(write: () => void): void {
    this.body.integer(0);
    write();
    this.body.store(this.#places.time);
  }

  solve(right: Place, out: Place): void {
    this.address(right);
    this.address(out);
    this.call("solve");
    returnUnless(this.body);
  }
}

/** (t, h, right, a). */
function predictFunction(places: Places): Extra {
  const { n, q, v, trialQ, trialV, phi, phiDot } = places;
  return {
    name: "predict",
    parameters: [F64, F64, I32, I32],
    result: I32,
    write(body, call) {
      const [t, h, right, a] = [0, 1, 2, 3];
      const writer = new StepWriter(body, call, places);
      const inverse = writer.quotient(1, h, false);
      const square = writer.quotient(1, h, true);
      writer.copy(n, q, trialQ);
      writer.copy(n, v, trialV);
      writer.setTime(() => body.get(t));
      writer.call("evaluate");
      writer.holonomicRight(inverse, phiDot, square, phi, behind(right));
      writer.nonholonomicRight(inverse, phiDot, behind(right));
      writer.solve(behind(right), behind(a));
      body.integer(1);
    },
  };
}

/** (t, h, passes, right, predicted, a, mean, phi, pi, product, point). */
function embedFunction(places: Places): Extra {
  const { n, rows, holonomic, q, v, trialQ, trialV } = places;
  return {
    name: "embed",
    parameters: [F64, F64, I32, I32, I32, I32, I32, I32, I32, I32, I32],
    result: I32,
    write(body, call) {
      const [t, h, passes] = [0, 1, 2];
      const [right, predicted, a, mean] = [behind(3), behind(4), behind(5), behind(6)];
      const [phi, pi, product, point] = [behind(7), behind(8), behind(9), behind(10)];
      const writer = new StepWriter(body, call, places);
      const half = writer.scalar(() => {
        body.get(h);
        body.float(2);
        body.code(Code.F64Divide);
      });
      const two = writer.scalar(() => body.float(-2));
      const inverse = writer.quotient(1, h, false);
      const square = writer.quotient(2, h, true);
      const at = (duration: number) =>
        writer.setTime(() => {
          body.get(t);
          body.get(duration);
          body.code(Code.F64Add);
        });
      const correct = (from: Place) => {
        writer.axpy(half, from, v, trialV);
        at(half);
        writer.call("evaluate");
        writer.address(predicted);
        writer.address(product);
        writer.call("jacobianTimes");
        body.code(Code.Drop);
        writer.holonomicRight(two, product, square, phi, right);
        writer.nonholonomicRight(inverse, pi, right);
        writer.solve(right, a);
      };
      for (const local of [t, h]) body.get(local);
      for (const place of [right, predicted]) writer.address(place);
      writer.call("predict");
      returnUnless(body);
      if (rows > holonomic) writer.copy(rows, places.phiDot, pi);
      writer.axpy(h, predicted, v, trialV);
      writer.axpy(h, trialV, q, trialQ);
      at(h);
      writer.call("phi");
      writer.copy(rows, places.phi, phi);
      writer.axpy(half, trialV, q, trialQ);
      correct(predicted);
      body.get(passes);
      body.integer(1);
      body.code(Code.I32Subtract);
      body.open(Code.If);
      correct(a);
      body.code(Code.End);
      writer.copy(n, trialQ, point);
      writer.copy(n, trialV, { ...point, offset: 8 * n });
      writer.axpy(half, a, v, mean);
      writer.axpy(h, a, v, trialV);
      writer.axpy(h, mean, q, trialQ);
      body.integer(1);
    },
  };
}

const IMPORTS: readonly ImportedKernel[] = [
  ...STAGE_KERNELS,
  // Function of the formulas' own module.
  { name: "evaluate", parameters: [] },
  { name: "jacobianTimes", parameters: [I32, I32], result: I32 },
];

/** Slopes, stages and steps of equations of motion, each in one call. For systems with generated solves. */
function stepModule(equations: DerivedEquations, memory: FormulaMemory): FormulaModule {
  const n = equations.q.length;
  const trial = memory.trial.address;
  const places = {
    n,
    time: memory.numbers.address,
    velocities: trial + 8 * n,
    gamma: memory.gamma.address,
  };
  return new FormulaModule(
    [
      solveAtOnce(shapeOf(equations), solvePlaces(equations, memory)),
      phiFunction(equations, memory),
    ],
    memory.scratch,
    IMPORTS,
    [motionSlope(places), stagesFunction(2 * n, trial), ...embeddingFunctions(equations, memory)],
  );
}

/** Constraints are evaluated separately if a full state takes more than this many times their operations. */
const MIN_COST_RATIO = 3;

export class FormulaPrograms {
  readonly equations: DerivedEquations;
  readonly isInterpreted: boolean;
  #main: FormulaModule | undefined;
  #motion: FormulaModule | undefined;
  #steps: FormulaModule | undefined;
  #patterns: ReturnType<typeof implicitPatterns> | undefined;
  /** Keyed by the addresses it writes to, which methods reserve before. */
  readonly #derivatives = new Map<number, FormulaModule>();

  constructor(equations: DerivedEquations, isInterpreted: boolean) {
    this.equations = equations;
    this.isInterpreted = isInterpreted;
  }

  /**
   * Whether it pays to evaluate constraints alone: the other quantities of a state must cost more than the sines of
   * the constraints, which would be evaluated twice.
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
      this.separatesConstraints = sizeOf("evaluate") > MIN_COST_RATIO * sizeOf("place");
      this.#main = new FormulaModule(specs, memory.scratch);
    }
    return this.#main.in(arena, this.isInterpreted);
  }

  /** Derivatives along the motion and of energies, which few methods use. */
  motionIn(arena: Arena, memory: FormulaMemory): FormulaFunctions {
    this.#motion ??= new FormulaModule(motionFunctions(this.equations, memory), memory.scratch);
    return this.#motion.in(arena, this.isInterpreted);
  }

  /** Slopes and steps in one call, over the functions for every state. Undefined if they need more than kernels. */
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
    // If the host does not compile, only interpreted formulas exist.
    return steps.stages ? steps : undefined;
  }

  patterns(): ReturnType<typeof implicitPatterns> {
    this.#patterns ??= implicitPatterns(this.equations);
    return this.#patterns;
  }

  /** Derivatives for implicit methods. */
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
