// Steps of methods that embed the constraints in their formula (Hong et al. 2006, Welch et al. 2007) in one call. The
// order of operations is that of src/methods/coupled with its kernels, and so are the bits: sums and products of vectors
// are written out for the size of the system, which takes less time than a call of a kernel for each.

import type { Extra } from "../../describe/compiled/compile.js";
import type { Place } from "../../describe/compiled/function-spec.js";
import type { DerivedEquations } from "../../describe/symbolic/derive.js";
import { type Body, Code, F64, I32 } from "../../ground/emit/module-writer.js";
import type { FormulaMemory } from "./formula-plan.js";
import { returnUnless } from "./stages.js";

/** `predict` and `embed`: 1, or 0 where a solve is for the general kernels. */
export function embeddingFunctions(equations: DerivedEquations, memory: FormulaMemory): Extra[] {
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

/** Numbers behind an address that is a parameter. */
const behind = (parameter: number): Place => ({ parameter, offset: 0 });

/** Writes what steps are made of. */
class StepWriter {
  readonly body: Body;
  readonly #call: (name: string) => number;
  readonly #places: Places;

  constructor(body: Body, call: (name: string) => number, places: Places) {
    this.body = body;
    this.#call = call;
    this.#places = places;
  }

  /** A number that is found once. */
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

  /** out = what is written for each index. */
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

  /** right = 0 - onVelocity phiDot - onPosition phi in the rows on positions. */
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

  /** right = gamma - pi / h - 0 in the others. */
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

  /** Everything at the trial state, at the time on the stack. */
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
