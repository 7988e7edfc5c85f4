// Solves of a system by formulas, generated entry by entry for its size and its zeros, without
// roots. With M = L D L^T, W = D^-1 and b = D L^T a:
//
//   J a = G^T W b,  G = L^-1 J^T,      M a = Q + J^T lambda  =>  b = u + G lambda,  u = L^-1 Q
//
// so b - u lies in the span of G and has the least norm in the metric W (kinetic energy). Modified
// Gram-Schmidt in this norm, G = P R with R of unit diagonal, yields y of R^T y = right, and
//
//   b = u;  for k = m ... 1:  c_k = (y_k - p_k^T W b) / (p_k^T W p_k),  b += c_k p_k;   R lambda = c
//
// which is backward stable without further orthogonalisation (Bjorck, Numerical Methods for Least
// Squares Problems, section 2.4.4). J M^-1 J^T would lose twice as many digits if rows are nearly
// dependent. If a row is dependent, up to DEPENDENCE_TOLERANCE, or a mass is not positive, the
// general kernels must solve.

import type { FunctionSpec, Output, Place } from "../../formulas/compiled/function-spec.js";
import { Algebra } from "../../formulas/expressions/algebra.js";
import { Graph, isConstant, type Node } from "../../formulas/expressions/graph.js";
import { Operation } from "../../formulas/expressions/operations.js";
import {
  FactorLayout,
  type FactorNodes,
  type SolvePlaces,
  type SolveShape,
} from "./factor-layout.js";

/** Rows count as dependent if the squared sine of the angle between a row and the rows before it is smaller. */
const DEPENDENCE_TOLERANCE = 1e-8;
/** Minimum pivots of M, relative to its diagonal. */
const MASS_PIVOT_TOLERANCE = 1e-12;
/** Larger results are left to the general kernels, which find the cause. */
const MAX_RESULT = 1e300;

/** Functions `factorMass`, `factor`, `accelerate`, `rates`, `minnorm`, `multipliers`, `massSolve` and `jacobianTimes`. */
export function solveFunctions(shape: SolveShape, places: SolvePlaces): FunctionSpec[] {
  const writer = new SolveWriter(shape, places);
  return [
    ...(shape.massIsConstant ? [writer.factorMass()] : []),
    writer.factor(),
    writer.accelerate(),
    writer.rates(),
    writer.minnorm(),
    writer.multipliers(),
    writer.massSolve(),
    writer.jacobianTimes(),
  ];
}

/**
 * `solve`: the results of `factor` followed by `accelerate`, bitwise identical. The factor stays in registers, so
 * nothing else can be solved with it.
 */
export function solveAtOnce(shape: SolveShape, places: SolvePlaces): FunctionSpec {
  return new SolveWriter(shape, places).solveAtOnce();
}

class SolveWriter {
  readonly #shape: SolveShape;
  readonly #places: SolvePlaces;
  readonly #layout: FactorLayout;
  readonly #graph = new Graph();
  readonly #algebra = new Algebra(this.#graph);
  readonly #slots: Place[] = [];
  /** The factor as read by solves, and the nodes that write it. */
  readonly #factor: FactorNodes;
  /** The factor as computed. */
  readonly #made: FactorNodes;
  readonly #massOutputs: Output[] = [];
  readonly #rowOutputs: Output[] = [];
  readonly #massChecks: Node[] = [];
  readonly #rowChecks: Node[] = [];

  constructor(shape: SolveShape, places: SolvePlaces) {
    this.#shape = shape;
    this.#places = places;
    this.#layout = new FactorLayout(shape.n, shape.m);
    const mass = this.#factorOfMass();
    // If M is constant, another function computes its factor, which is read from memory.
    const read = {
      lower: mass.lower.map((row, i) =>
        row.map((each, j) => this.#stored(each, this.#layout.lower(i, j))),
      ),
      inverse: mass.inverse.map((each, i) => this.#stored(each, this.#layout.inverse(i))),
    };
    const known = shape.massIsConstant ? read : mass;
    const rows = this.#factorOfRows(known);
    this.#made = { ...known, ...rows };
    this.#factor = {
      ...read,
      p: rows.p.map((row, k) => row.map((each, i) => this.#stored(each, this.#layout.row(k, i)))),
      wp: rows.wp.map((row, k) =>
        row.map((each, i) => this.#stored(each, this.#layout.row(shape.m + k, i))),
      ),
      scale: rows.scale.map((each, k) => this.#stored(each, this.#layout.scale(k))),
      r: rows.r.map((row, j) =>
        row.map((each, k) => this.#stored(each, this.#layout.triangle(j, k))),
      ),
    };
  }

  factorMass(): FunctionSpec {
    return this.#spec("factorMass", 0, this.#massOutputs, this.#all(this.#massChecks));
  }

  factor(): FunctionSpec {
    const { massIsConstant } = this.#shape;
    const outputs = massIsConstant ? this.#rowOutputs : [...this.#massOutputs, ...this.#rowOutputs];
    return this.#spec("factor", 0, outputs, this.#all(this.#checks()));
  }

  /** (right, out). */
  solveAtOnce(): FunctionSpec {
    const made = this.#made;
    const u = this.#whitened(this.#forces(), made);
    const { a } = this.#solved(u, this.#given(0, this.#shape.m), made);
    const returns = this.#all([...this.#checks(), this.#allFinite(a)]);
    return this.#spec("solve", 2, this.#written(1, a), returns);
  }

  /** Conditions on the factor of a state. */
  #checks(): Node[] {
    const { massIsConstant } = this.#shape;
    return massIsConstant ? this.#rowChecks : [...this.#massChecks, ...this.#rowChecks];
  }

  /** (right, out). */
  accelerate(): FunctionSpec {
    const { a } = this.#solved(this.#whitened(this.#forces()), this.#given(0, this.#shape.m));
    return this.#spec("accelerate", 2, this.#written(1, a), this.#allFinite(a));
  }

  /** (right, r, v, out, corrected). */
  rates(): FunctionSpec {
    const { n, m } = this.#shape;
    const algebra = this.#algebra;
    const { a } = this.#solved(this.#whitened(this.#forces()), this.#given(0, m));
    const { a: x } = this.#solved(this.#nothing(), this.#given(1, m));
    const v = this.#given(2, n);
    const corrected = x.map((each, i) => algebra.sum(v[i]!, each));
    const outputs = [...this.#written(3, a), ...this.#written(4, corrected)];
    return this.#spec("rates", 5, outputs, this.#allFinite([...a, ...x]));
  }

  /** (r, x). */
  minnorm(): FunctionSpec {
    const { a } = this.#solved(this.#nothing(), this.#given(0, this.#shape.m));
    return this.#spec("minnorm", 2, this.#written(1, a), this.#allFinite(a));
  }

  /** (right, lambda). */
  multipliers(): FunctionSpec {
    const { m } = this.#shape;
    const algebra = this.#algebra;
    const { c } = this.#solved(this.#whitened(this.#forces()), this.#given(0, m));
    const lambda = [...c];
    for (let k = m - 1; k >= 0; k--) {
      for (let j = k + 1; j < m; j++) {
        lambda[k] = algebra.difference(lambda[k]!, this.#times(this.#factor.r[k]![j]!, lambda[j]!));
      }
    }
    return this.#spec("multipliers", 2, this.#written(1, lambda), this.#allFinite(lambda));
  }

  /** (x, out): out = J x. */
  jacobianTimes(): FunctionSpec {
    const { n, m } = this.#shape;
    const x = this.#given(0, n);
    const rows = Array.from({ length: m }, (_, k) =>
      this.#dot(
        x.map((_, i) => this.#jacobianAt(k, i)),
        x,
      ),
    );
    return this.#spec("jacobianTimes", 2, this.#written(1, rows), this.#algebra.one);
  }

  /** (b, x). */
  massSolve(): FunctionSpec {
    const x = this.#unwhitened(this.#whitened(this.#given(0, this.#shape.n)));
    return this.#spec("massSolve", 2, this.#written(1, x), this.#allFinite(x));
  }

  #factorOfMass(): Pick<FactorNodes, "lower" | "inverse"> {
    const { n, massIsDiagonal } = this.#shape;
    const algebra = this.#algebra;
    const lower = Array.from({ length: n }, () => new Array<Node>(n).fill(algebra.zero));
    const pivots: Node[] = [];
    const inverse: Node[] = [];
    for (let j = 0; j < n; j++) {
      const scaled = Array.from({ length: j }, (_, k) => this.#times(lower[j]![k]!, pivots[k]!));
      const own = this.#massAt(j, j);
      const pivot = scaled.reduce(
        (rest, each, k) => algebra.difference(rest, this.#times(each, lower[j]![k]!)),
        own,
      );
      pivots.push(pivot);
      inverse.push(algebra.reciprocal(pivot));
      this.#massChecks.push(
        this.#less(this.#times(this.#graph.constant(MASS_PIVOT_TOLERANCE), own), pivot),
        this.#less(algebra.zero, own),
      );
      for (let i = j + 1; i < n && !massIsDiagonal; i++) {
        const rest = scaled.reduce(
          (sum, each, k) => algebra.difference(sum, this.#times(lower[i]![k]!, each)),
          this.#massAt(i, j),
        );
        lower[i]![j] = this.#times(rest, inverse[j]!);
      }
    }
    for (let i = 0; i < n; i++) {
      this.#write(this.#massOutputs, inverse[i]!, this.#layout.inverse(i));
      for (let j = 0; j < i; j++)
        this.#write(this.#massOutputs, lower[i]![j]!, this.#layout.lower(i, j));
    }
    return { lower, inverse };
  }

  #factorOfRows(
    mass: Pick<FactorNodes, "lower" | "inverse">,
  ): Pick<FactorNodes, "p" | "wp" | "scale" | "r"> {
    const { n, m } = this.#shape;
    const algebra = this.#algebra;
    const p: Node[][] = [];
    const wp: Node[][] = [];
    const scale: Node[] = [];
    const r = Array.from({ length: m }, () => new Array<Node>(m).fill(algebra.zero));
    for (let k = 0; k < m; k++) {
      let row = this.#forward(
        mass.lower,
        Array.from({ length: n }, (_, i) => this.#jacobianAt(k, i)),
      );
      const weighted = () => row.map((each, i) => this.#times(each, mass.inverse[i]!));
      const before = this.#dot(row, weighted());
      for (let j = 0; j < k; j++) {
        const share = this.#times(this.#dot(wp[j]!, row), scale[j]!);
        r[j]![k] = share;
        row = row.map((each, i) => algebra.difference(each, this.#times(share, p[j]![i]!)));
      }
      p.push(row);
      wp.push(weighted());
      const square = this.#dot(row, wp[k]!);
      scale.push(algebra.reciprocal(square));
      this.#rowChecks.push(
        this.#less(this.#times(this.#graph.constant(DEPENDENCE_TOLERANCE), before), square),
      );
    }
    for (let k = 0; k < m; k++) {
      this.#write(this.#rowOutputs, scale[k]!, this.#layout.scale(k));
      for (let i = 0; i < n; i++) {
        this.#write(this.#rowOutputs, p[k]![i]!, this.#layout.row(k, i));
        this.#write(this.#rowOutputs, wp[k]![i]!, this.#layout.row(m + k, i));
      }
      for (let j = 0; j < k; j++)
        this.#write(this.#rowOutputs, r[j]![k]!, this.#layout.triangle(j, k));
    }
    return { p, wp, scale, r };
  }

  /** a and the coefficients c, from u and the right-hand side of the rows. */
  #solved(
    u: readonly Node[],
    right: readonly Node[],
    factor = this.#factor,
  ): { a: Node[]; c: Node[] } {
    const algebra = this.#algebra;
    const { p, wp, scale, r } = factor;
    const y: Node[] = [];
    for (let k = 0; k < right.length; k++) {
      y.push(
        y.reduce(
          (rest, each, j) => algebra.difference(rest, this.#times(r[j]![k]!, each)),
          right[k]!,
        ),
      );
    }
    let b = [...u];
    const c: Node[] = [];
    for (let k = right.length - 1; k >= 0; k--) {
      const share = this.#times(algebra.difference(y[k]!, this.#dot(wp[k]!, b)), scale[k]!);
      c[k] = share;
      b = b.map((each, i) => algebra.sum(each, this.#times(share, p[k]![i]!)));
    }
    return { a: this.#unwhitened(b, factor), c };
  }

  #forward(lower: readonly (readonly Node[])[], from: readonly Node[]): Node[] {
    const algebra = this.#algebra;
    const x: Node[] = [];
    for (const [i, each] of from.entries()) {
      x.push(
        x.reduce(
          (rest, known, j) => algebra.difference(rest, this.#times(lower[i]![j]!, known)),
          each,
        ),
      );
    }
    return x;
  }

  #whitened(from: readonly Node[], { lower } = this.#factor): Node[] {
    return this.#forward(lower, from);
  }

  #unwhitened(b: readonly Node[], { lower, inverse } = this.#factor): Node[] {
    const algebra = this.#algebra;
    const x = b.map((each, i) => this.#times(each, inverse[i]!));
    for (let i = x.length - 1; i >= 0; i--) {
      for (let j = i + 1; j < x.length; j++) {
        x[i] = algebra.difference(x[i]!, this.#times(lower[j]![i]!, x[j]!));
      }
    }
    return x;
  }

  #dot(x: readonly Node[], y: readonly Node[]): Node {
    const algebra = this.#algebra;
    return x.reduce((sum, each, i) => algebra.sum(sum, this.#times(each, y[i]!)), algebra.zero);
  }

  /** Not the product of derivatives, which would divide by pivots repeatedly. */
  #times(a: Node, b: Node): Node {
    if (isConstant(a, 0) || isConstant(b, 0)) return this.#algebra.zero;
    if (isConstant(a, 1)) return b;
    return isConstant(b, 1) ? a : this.#graph.apply(Operation.Multiply, a, b);
  }

  #less(a: Node, b: Node): Node {
    return this.#graph.apply(Operation.Less, a, b);
  }

  #all(checks: readonly Node[]): Node {
    const open = checks.filter((check) => !isConstant(check, 1));
    return open.reduce(
      (all, check) => this.#graph.apply(Operation.And, all, check),
      this.#algebra.one,
    );
  }

  #allFinite(x: readonly Node[]): Node {
    const sizes = x
      .filter((each) => !isConstant(each))
      .map((each) => this.#graph.apply(Operation.Absolute, each));
    const total = sizes.reduce((sum, each) => this.#algebra.sum(sum, each), this.#algebra.zero);
    return this.#less(total, this.#graph.constant(MAX_RESULT));
  }

  #nothing(): Node[] {
    return new Array<Node>(this.#shape.n).fill(this.#algebra.zero);
  }

  #spec(name: string, parameters: number, outputs: readonly Output[], returns: Node): FunctionSpec {
    return { name, parameters, outputs, returns, slot: (index) => this.#slots[index]! };
  }

  /** Values at an address that is a parameter. */
  #given(parameter: number, count: number): Node[] {
    return Array.from({ length: count }, (_, i) => this.#slotAt({ parameter, offset: 8 * i }));
  }

  #written(parameter: number, nodes: readonly Node[]): Output[] {
    return nodes.map((node, i) => ({ node, place: { parameter, offset: 8 * i } }));
  }

  #forces(): Node[] {
    const { forces } = this.#places;
    return Array.from({ length: this.#shape.n }, (_, i) =>
      this.#slotAt({ offset: forces + 8 * i }),
    );
  }

  #slotAt(place: Place): Node {
    this.#slots.push(place);
    return this.#graph.slot(this.#slots.length - 1);
  }

  #massAt(i: number, j: number): Node {
    const { n, mass, massIsDiagonal } = this.#shape;
    if (massIsDiagonal && i !== j) return this.#algebra.zero;
    const index = massIsDiagonal ? i : i + j * n;
    return this.#entry(mass[index], this.#places.mass + 8 * index);
  }

  #jacobianAt(row: number, column: number): Node {
    const index = row * this.#shape.n + column;
    return this.#entry(this.#shape.jacobian[index], this.#places.jacobian + 8 * index);
  }

  #entry(value: number | undefined, address: number): Node {
    return value === undefined ? this.#slotAt({ offset: address }) : this.#graph.constant(value);
  }

  /** Value of the factor for a solve: a constant, or its address. */
  #stored(node: Node, slot: number): Node {
    return isConstant(node) ? node : this.#slotAt({ offset: this.#places.factor + 8 * slot });
  }

  #write(outputs: Output[], node: Node, slot: number): void {
    if (!isConstant(node))
      outputs.push({ node, place: { offset: this.#places.factor + 8 * slot } });
  }
}
