// Derivatives of laws, forces and rows by formulas, for implicit methods.
//
// A law whose number f is a formula acts along a direction d: Q = f d. Kernels know f (dd/dx), with f held; what they do not know,
// d (df/dx)^T and d (df/dv)^T, is added here, for all bodies that f reads. User forces are added as a whole.

import { BODY_VELOCITIES, ForceKind, TyreData } from "../../../../assembly/layout-bodies.js";
import type { FunctionSpec, Output } from "../../../describe/compiled/function-spec.js";
import { isConstant, type Node } from "../../../describe/expressions/graph.js";
import { Operation } from "../../../describe/expressions/operations.js";
import { bodiesRead } from "../../../describe/measured/measured-formula.js";
import type { Address } from "../../../ground/memory/arena.js";
import { carrierOf, firstState } from "../plan/carriers.js";
import type { Plan } from "../plan/plan.js";
import { type FormulaGraph, type RowNodes, six } from "./formula-graph.js";

/** Where the block of a pair of bodies lies in the stiffness and in the damping. */
export type BlockPlace = (row: number, column: number) => readonly [Address, Address];

/** Functions that find derivatives: `derive` before kernels, `add` (multipliers) and `rows` behind them. */
export function derivativeSpecs(
  plan: Plan,
  formulas: FormulaGraph,
  at: BlockPlace,
): FunctionSpec[] {
  return [
    formulas.spec("derive", roadSlopes(plan, formulas)),
    formulas.spec("add", new Sums(plan, formulas, at).outputs(), 1),
    formulas.spec(
      "rows",
      formulas.rows.flatMap((rows) => rowDerivatives(formulas, rows)),
      4,
    ),
  ];
}

/** Slopes of roads, and of the rates at which they rise: dh/dx and its derivative along the motion. */
function roadSlopes({ model }: Plan, formulas: FormulaGraph): Output[] {
  const { frames } = formulas;
  const { calculus } = frames;
  return model.forces.flatMap(({ kind, a, b, formulas: own = [] }, index) => {
    if (kind !== ForceKind.TYRE) return [];
    return own.flatMap(({ formula }) => {
      const height = frames.formula(formula);
      return [0, 1].flatMap((axis) => {
        const seen = frames.input({ kind: "seen", a, b, axis, isRate: false });
        const along = new Map([[seen, calculus.algebra.one]]);
        const slope = calculus.along([height], along)[0]!;
        const rate = calculus.along([slope], frames.motion())[0]!;
        const place = (slot: number) => ({ offset: formulas.constant(index, slot + axis) });
        return [
          { node: slope, place: place(TyreData.SLOPES) },
          { node: rate, place: place(TyreData.RATE_SLOPES) },
        ];
      });
    });
  });
}

/** Sums of what is added to one number. */
class Sums {
  readonly #plan: Plan;
  readonly #formulas: FormulaGraph;
  readonly #at: BlockPlace;
  readonly #sums = new Map<Address, Node>();

  constructor(plan: Plan, formulas: FormulaGraph, at: BlockPlace) {
    this.#plan = plan;
    this.#formulas = formulas;
    this.#at = at;
    this.#addLaws();
    this.#addForces();
    this.#addStates();
    for (const rows of formulas.rows) this.#addRows(rows);
  }

  outputs(): Output[] {
    const { frames } = this.#formulas;
    const { algebra } = frames.calculus;
    return [...this.#sums].map(([offset, node]) => ({
      node: algebra.apply(Operation.Add, frames.at({ offset }), node),
      place: { offset },
    }));
  }

  /** Entry (i, j) of the block of two bodies. */
  #add(row: number, column: number, i: number, j: number, part: 0 | 1, node: Node): void {
    if (isConstant(node, 0)) return;
    const offset = this.#at(row, column)[part] + 8 * (BODY_VELOCITIES * j + i);
    const before = this.#sums.get(offset);
    const { algebra } = this.#formulas.frames.calculus;
    this.#sums.set(offset, before ? algebra.sum(before, node) : node);
  }

  #addLaws(): void {
    const { forces, markers } = this.#plan.model;
    const { frames } = this.#formulas;
    const { algebra } = frames.calculus;
    for (const force of forces) {
      if (force.kind === ForceKind.TYRE) continue;
      for (const { slot, formula } of force.formulas ?? []) {
        const value = frames.formula(formula);
        const directions = this.#formulas.directions(force, slot);
        for (const column of bodiesRead(formula, markers)) {
          this.#eachDerivative([value], column, (j, part, [slope]) => {
            if (isConstant(slope!, 0)) return;
            for (const [row, direction] of directions) {
              direction.forEach((along, i) => {
                this.#add(row, column, i, j, part, algebra.product(along, slope!));
              });
            }
          });
        }
      }
    }
  }

  #addForces(): void {
    const { userForces, markers } = this.#plan.model;
    for (const { bodies, formulas } of userForces) {
      if (!formulas) continue;
      bodies.forEach((row, index) => {
        const own = formulas.slice(6 * index, 6 * (index + 1));
        const load = this.#formulas.load(row, own);
        // Torques are in the axes of the body, and change when it turns.
        const columns = new Set([row, ...own.flatMap((one) => bodiesRead(one, markers))]);
        for (const column of columns) {
          this.#eachDerivative(load, column, (j, part, slopes) => {
            slopes.forEach((slope, i) => {
              this.#add(row, column, i, j, part, slope);
            });
          });
        }
      });
    }
  }

  /** Rates are forces on the bodies that carry states. */
  #addStates(): void {
    const { model } = this.#plan;
    for (const [set, { formulas = [] }] of model.states.entries()) {
      formulas.forEach((formula, index) => {
        const [row, axis] = carrierOf(model, firstState(model, set) + index);
        const value = this.#formulas.frames.formula(formula);
        for (const column of bodiesRead(formula, model.markers)) {
          this.#eachDerivative([value], column, (j, part, [slope]) => {
            this.#add(row, column, axis, j, part, slope!);
          });
        }
      });
    }
  }

  /** d(J^T lambda)/dx, and d(J^T lambda)/dv of rows that are not linear, with the multipliers behind the first address. */
  #addRows({ planned, jacobian }: RowNodes): void {
    const { frames } = this.#formulas;
    const { calculus } = frames;
    const { algebra } = calculus;
    const { bodies, firstRow } = planned;
    const multipliers = jacobian.map((_, row) =>
      frames.at({ parameter: 0, offset: 8 * (firstRow + row) }),
    );
    bodies.forEach((row, index) => {
      const load = six((i) =>
        jacobian.reduce(
          (sum, of, r) => algebra.sum(sum, algebra.product(multipliers[r]!, of[index]![i]!)),
          algebra.zero,
        ),
      );
      for (const column of bodies) {
        this.#eachDerivative(load, column, (j, part, slopes) => {
          slopes.forEach((slope, i) => {
            this.#add(row, column, i, j, part, slope);
          });
        });
      }
    });
  }

  /** By all displacements and velocities of a body. */
  #eachDerivative(
    nodes: readonly Node[],
    body: number,
    take: (j: number, part: 0 | 1, slopes: readonly Node[]) => void,
  ): void {
    const { frames } = this.#formulas;
    for (let j = 0; j < BODY_VELOCITIES; j++) {
      take(j, 0, frames.calculus.along(nodes, frames.displacement(body, j)));
      take(j, 1, frames.calculus.along(nodes, frames.velocity(body, j)));
    }
  }
}

/** The matrices of `bodyRowDerivatives`, in the places of the Jacobian: accelerations are behind the first address. */
function rowDerivatives(formulas: FormulaGraph, rows: RowNodes): Output[] {
  const { frames } = formulas;
  const { calculus } = frames;
  const { algebra } = calculus;
  const { planned, phiDot, gamma, jacobian, slots } = rows;
  const { bodies } = planned;
  const accelerations = bodies.map((body) =>
    six((i) => frames.at({ parameter: 0, offset: 8 * (BODY_VELOCITIES * body + i) })),
  );
  const rest = gamma.map((node, row) =>
    bodies.reduce(
      (sum, _, index) =>
        accelerations[index]!.reduce(
          (left, a, i) => algebra.difference(left, algebra.product(jacobian[row]![index]![i]!, a)),
          sum,
        ),
      node,
    ),
  );
  return bodies.flatMap((body, index) =>
    six((j) => {
      const displaced = frames.displacement(body, j);
      const columns = [
        calculus.along(phiDot, displaced),
        calculus.along(rest, displaced),
        // J changes with velocities only where rows are not linear in them.
        calculus.along(rest, frames.velocity(body, j)),
      ];
      return columns.flatMap((nodes, which) =>
        nodes.map((node, row) => ({
          node,
          place: { parameter: 1 + which, offset: 8 * (slots[index]! + BODY_VELOCITIES * row + j) },
        })),
      );
    }).flat(),
  );
}
