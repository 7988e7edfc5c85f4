// Random equations of motion, and their accelerations from the Lagrangian by finite differences with 60 digits: an oracle that
// shares neither derivatives nor solvers with the package.

import type { FormulaDescription } from "nodrift/formulas";
import { type Precise, precise } from "../../support/precise.js";
import {
  Maker,
  number,
  ONE,
  power,
  product,
  sine,
  sum,
  type Tree,
  type Values,
  variable,
} from "./random-trees.js";

const { of, times, over, toNumber } = precise;
/** Rates are differences as well: what they lose comes twice, and leaves 20 digits. */
const STEP = ONE / 10n ** 12n;

export interface RandomSystem {
  readonly description: FormulaDescription;
  readonly q: readonly number[];
  readonly v: readonly number[];
  readonly time: number;
  /** Accelerations, multipliers and constraints at the state. Undefined if rows are nearly dependent. */
  wanted(): { a: number[]; lambda: number[]; phi: number[]; phiDot: number[] } | undefined;
}

export function randomSystem(seed: number): RandomSystem {
  const maker = new Maker(seed);
  const names = ["a", "b", "c"].slice(0, 1 + Math.floor(3 * maker.unit()));
  const [q, v] = [names.map(variable), names.map((name) => variable(`${name}'`))];
  const parameters = { p: 0.5 + maker.unit(), k: 1 + maker.unit() };
  const places = [...q, ...q, variable("p"), variable("k"), variable("t")];
  const rated = Array.from({ length: Math.floor(3 * maker.unit()) }, () => maker.tree(places, 2));
  const leaves = [...places, ...rated.map(({ at }, i) => ({ text: `x${i}`, at }))];
  const kinetic = kineticOf(maker, names, places, v, rated);
  const potential = maker.tree(leaves, 3);
  const isDamped = maker.unit() < 0.4;
  const dissipation = isDamped ? product(number(0.3), power(maker.pick(v), 2)) : undefined;
  const forces = maker.unit() < 0.6 ? { a: maker.tree([...leaves, ...v], 2) } : {};
  const holonomic: Record<string, Tree> = {};
  const nonholonomic: Record<string, Tree> = {};
  for (let i = 0; i < Math.min(names.length - 1, Math.floor(3 * maker.unit())); i++) {
    if (maker.unit() < 0.5) {
      holonomic[`h${i}`] = sum(maker.tree(leaves, 2), product(number(0.7 + i), q[i]!));
    } else nonholonomic[`w${i}`] = velocityRow(maker, places, v, v[i]!);
  }
  const texts = (trees: Record<string, Tree>) =>
    Object.fromEntries(Object.entries(trees).map(([name, { text }]) => [name, text]));
  const energies =
    maker.unit() < 0.5
      ? { lagrangian: `${kinetic.text} - ${potential.text}` }
      : { kinetic: kinetic.text, potential: potential.text };
  const state = {
    q: names.map(() => 1.2 * maker.random()),
    v: names.map(() => 1.5 * maker.random()),
    time: maker.unit(),
  };
  return {
    description: {
      name: `random ${seed}`,
      coordinates: names,
      parameters,
      quantities: Object.fromEntries(rated.map(({ text }, i) => [`x${i}`, text])),
      ...energies,
      ...(dissipation && { dissipation: dissipation.text }),
      forces: texts(forces),
      holonomic: texts(holonomic),
      nonholonomic: texts(nonholonomic),
    },
    ...state,
    wanted() {
      const values: Record<string, Precise> = { t: of(state.time) };
      for (const [name, value] of Object.entries(parameters)) values[name] = of(value);
      for (const [i, name] of names.entries()) {
        values[name] = of(state.q[i]!);
        values[`${name}'`] = of(state.v[i]!);
      }
      const lagrangian = (at: Values) => kinetic.at(at) - potential.at(at);
      const force = (at: Values, i: number) =>
        i === 0 && "a" in forces ? (forces.a as Tree).at(at) : 0n;
      return moved(names, values, lagrangian, dissipation, force, holonomic, nonholonomic);
    },
  };
}

/** Squares of rates of coordinates and quantities with masses that vary, and terms that are linear in rates. */
function kineticOf(
  maker: Maker,
  names: readonly string[],
  places: readonly Tree[],
  v: readonly Tree[],
  rated: readonly Tree[],
): Tree {
  const mass = () => sum(number(1), power(maker.tree(places, 1), 2));
  let kinetic = v.map((rate) => product(mass(), power(rate, 2))).reduce(sum);
  if (v[1]) {
    const coupling = product(number(0.5), sine(maker.tree(places, 1)));
    kinetic = sum(kinetic, product(coupling, product(v[0]!, v[1])));
  }
  if (maker.unit() < 0.5) {
    kinetic = sum(kinetic, product(maker.tree(places, 1), maker.pick(v)));
  }
  for (const [i, each] of rated.entries()) {
    const at = (values: Values) => along(names, (there) => each.at(there), values);
    kinetic = sum(kinetic, power({ text: `x${i}'`, at }, 2));
  }
  return kinetic;
}

/** Linear in the velocities, or not. */
function velocityRow(maker: Maker, places: readonly Tree[], v: readonly Tree[], own: Tree): Tree {
  const factor = maker.tree(places, 1);
  const main = product(number(1.7), own);
  if (maker.unit() < 0.5) return sum(product(factor, maker.pick(v)), main);
  return sum(product(factor, power(maker.pick(v), 2)), sum(sine(own), main));
}

type Function = (values: Values) => Precise;

function by(f: Function, values: Values, name: string): Precise {
  const at = (shift: Precise) => f({ ...values, [name]: values[name]! + shift });
  return over(at(STEP) - at(-STEP), 2n * STEP);
}

/** Where the motion would be after a while without acceleration. */
function after(names: readonly string[], values: Values, s: Precise): Values {
  const moved: Record<string, Precise> = { ...values, t: values.t! + s };
  for (const name of names) moved[name] = values[name]! + times(values[`${name}'`]!, s);
  return moved;
}

function along(names: readonly string[], f: Function, values: Values): Precise {
  return over(f(after(names, values, STEP)) - f(after(names, values, -STEP)), 2n * STEP);
}

/** d/dt dL/dv = dL/dq + F - dD/dv + J^T lambda, J a = gamma. */
function moved(
  names: readonly string[],
  values: Values,
  lagrangian: Function,
  dissipation: Tree | undefined,
  force: (values: Values, i: number) => Precise,
  holonomic: Readonly<Record<string, Tree>>,
  nonholonomic: Readonly<Record<string, Tree>>,
): ReturnType<RandomSystem["wanted"]> {
  const n = names.length;
  const rows = [
    ...Object.values(holonomic).map(({ at }) => {
      const [next, here, last] = [STEP, 0n, -STEP].map((s) => at(after(names, values, s)));
      return {
        jacobian: names.map((name) => by(at, values, name)),
        gamma: -over(over(next! - 2n * here! + last!, STEP), STEP),
        phi: here!,
        phiDot: along(names, at, values),
      };
    }),
    ...Object.values(nonholonomic).map(({ at }) => ({
      jacobian: names.map((name) => by(at, values, `${name}'`)),
      gamma: -along(names, at, values),
      phi: 0n,
      phiDot: at(values),
    })),
  ];
  const system = names.map((name, i) => {
    const momentum: Function = (there) => by(lagrangian, there, `${name}'`);
    const lost = dissipation ? by((there) => dissipation.at(there), values, `${name}'`) : 0n;
    const applied = by(lagrangian, values, name) + force(values, i) - lost;
    return [
      ...names.map((other) => by(momentum, values, `${other}'`)),
      ...rows.map(({ jacobian }) => -jacobian[i]!),
      applied - along(names, momentum, values),
    ];
  });
  for (const { jacobian, gamma } of rows) system.push([...jacobian, ...rows.map(() => 0n), gamma]);
  const solution = solved(system);
  return (
    solution && {
      a: solution.slice(0, n).map(toNumber),
      lambda: solution.slice(n).map(toNumber),
      phi: rows.map(({ phi }) => toNumber(phi)),
      phiDot: rows.map(({ phiDot }) => toNumber(phiDot)),
    }
  );
}

/** Elimination with row pivots; the last column is the right-hand side. Undefined if a pivot is small. */
function solved(matrix: Precise[][]): Precise[] | undefined {
  const n = matrix.length;
  const size = (x: Precise) => (x < 0n ? -x : x);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (size(matrix[i]![k]!) > size(matrix[pivot]![k]!)) pivot = i;
    [matrix[k], matrix[pivot]] = [matrix[pivot]!, matrix[k]!];
    if (size(matrix[k]![k]!) < ONE / 1_000_000n) return undefined;
    for (let i = k + 1; i < n; i++) {
      const factor = over(matrix[i]![k]!, matrix[k]![k]!);
      matrix[i] = matrix[i]!.map((x, j) => x - times(factor, matrix[k]![j]!));
    }
  }
  const x = new Array<Precise>(n).fill(0n);
  for (let i = n - 1; i >= 0; i--) {
    const rest = matrix[i]!.slice(i + 1, n).reduce(
      (sum, each, j) => sum - times(each, x[i + 1 + j]!),
      matrix[i]![n]!,
    );
    x[i] = over(rest, matrix[i]![i]!);
  }
  return x;
}
