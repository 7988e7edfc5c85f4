import { BushingData, ForceKind } from "../../../assembly/layout-bodies.js";
import { needed } from "../../base/checking/index.js";
import { isList, numbers, show } from "../../base/checking/values.js";
import { constantsOf } from "../constants.js";
import type { MeasuredInput } from "../formula-data.js";
import type { FramePairOptions } from "../markers.js";
import { sourceOf } from "../measured/formula-source.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import { ends, recipeOption, vector } from "../recipe-checker.js";
import type { ForceBuilder, ForceParts, ForceType } from "./force-builder.js";
import type { FormulaVector } from "./user-force.js";

/**
 * Three values along x, y, z of A; six values along and about these axes; or one value along and one about all axes.
 */
export type SixComponents =
  | readonly [number, number, number]
  | readonly [number, number, number, number, number, number]
  | { readonly translation?: number | undefined; readonly rotation?: number | undefined };

const sixComponents = recipeOption("components", "3 or 6 numbers, or { translation, rotation }");

/** Options of `bushing`. */
export interface BushingOptions extends FramePairOptions {
  /** Stiffness in N/m along the axes, then in N m/rad about them. */
  readonly stiffness?: SixComponents | undefined;
  /** Damping in N s/m along the axes, then in N m s/rad about them. */
  readonly damping?: SixComponents | undefined;
  /**
   * Additional force on B along the axes of A: three numbers or formulas. Formulas may use `x`, `y`, `z` (position of
   * B in the axes of A), their rates `xRate`, `yRate`, `zRate`, the rotations `xTurn`, `yTurn`, `zTurn`, their rates
   * `xTurnRate`, `yTurnRate`, `zTurnRate`, `t`, parameters and quantities of the model.
   */
  readonly force?: FormulaVector | undefined;
  /** Additional torque on B about the axes of A: three numbers or formulas of the same variables. */
  readonly torque?: FormulaVector | undefined;
}

/**
 * A rubber bushing between two bodies: springs and dampers along and about the axes of A, relaxed when the frames of
 * A and B coincide. Rotations are 2 x the vector part of the relative Euler parameters, which equals the angles while
 * they are small. If made from bodies, it is relaxed at the poses given; `axis` is its z, by default that of the
 * world. Laws by formulas are added to springs and dampers. In these formulas rotations are limited to half a turn.
 *
 * @example
 * m.bushing({ between: [frame, engine], at: [0, 0, 0], stiffness: [1e5, 1e5, 3e5, 500, 500, 200] });
 * m.bushing({ between: [frame, cab], at: [0, 0, 1], stiffness: [1e4, 1e4, 0], force: [0, 0, "-2e4 * z - 3e7 * z^3 - 80 * zRate"] });
 */
export const bushing: ForceType<BushingOptions> = {
  options: {
    between: needed(ends),
    at: vector,
    axis: vector,
    stiffness: sixComponents,
    damping: sixComponents,
    force: recipeOption("along", "3 numbers or formulas"),
    torque: recipeOption("about", "3 numbers or formulas"),
  },
  appearance: { symbol: "bushing", attaches: "both" },
  law(options, builder) {
    const given = [options.stiffness, options.damping, options.force, options.torque];
    if (given.every((one) => one === undefined)) {
      throw builder.error("give stiffness, damping, force or torque");
    }
    const [a, b] = builder.markers.framePair(options, { axis: "optional" });
    const k = components("stiffness", options.stiffness, builder);
    const c = components("damping", options.damping, builder);
    const force = loads("force", BushingData.FORCE, options.force, [a, b], builder);
    const torque = loads("torque", BushingData.TURN_FORCE, options.torque, [a, b], builder);
    const slots = [0, 1, 2].flatMap((i): [number, number][] => [
      [BushingData.STIFFNESS + i, k[i]!],
      [BushingData.DAMPING + i, c[i]!],
      [BushingData.TURN_STIFFNESS + i, k[3 + i]!],
      [BushingData.TURN_DAMPING + i, c[3 + i]!],
    ]);
    const constants = constantsOf(
      BushingData.LENGTH,
      Object.fromEntries([...slots, ...force.constants, ...torque.constants]),
    );
    const formulas = [...force.formulas, ...torque.formulas];
    const parts = { kind: ForceKind.BUSHING, a, b, flag: 0, constants };
    return formulas.length === 0 ? parts : { ...parts, formulas: Object.freeze(formulas) };
  },
};

interface Loads {
  readonly constants: readonly (readonly [slot: number, value: number])[];
  readonly formulas: NonNullable<ForceParts["formulas"]>;
}

/** Reads three numbers or formulas, stored from a slot on. */
function loads(
  option: "force" | "torque",
  slot: number,
  given: unknown,
  ends: readonly [number, number],
  builder: ForceBuilder,
): Loads {
  if (given === undefined) return { constants: [], formulas: [] };
  if (!isList(given) || given.length !== 3) {
    throw builder.error(`${option} must be 3 numbers or formulas, not ${show(given)}`);
  }
  const locals = motionNames(...ends);
  const parts = Array.from(given, (one, i): Loads => {
    const source = sourceOf(one);
    const place = `${option}[${i}]`;
    if (!source) return { constants: [[slot + i, builder.finite(place, one)]], formulas: [] };
    const formula = recipeFormula(builder, place, source, locals);
    return { constants: [], formulas: [{ slot: slot + i, formula }] };
  });
  return {
    constants: parts.flatMap(({ constants }) => constants),
    formulas: parts.flatMap(({ formulas }) => formulas),
  };
}

/** Returns the variables of laws, for the motion of B in the axes of A. */
function motionNames(a: number, b: number): Readonly<Record<string, MeasuredInput>> {
  const named = (["x", "y", "z"] as const).flatMap((name, axis) =>
    (["seen", "turned"] as const).flatMap((kind) => {
      const own = kind === "seen" ? name : `${name}Turn`;
      return [
        [own, { kind, a, b, axis, isRate: false }] as const,
        [`${own}Rate`, { kind, a, b, axis, isRate: true }] as const,
      ];
    }),
  );
  return { ...Object.fromEntries(named), t: TIME };
}

/** Returns three components along the axes and three about them. */
function components(option: string, value: unknown, builder: ForceBuilder): readonly number[] {
  if (value === undefined) return [0, 0, 0, 0, 0, 0];
  if (isList(value)) {
    if (value.length !== 3 && value.length !== 6) {
      throw builder.error(`${option} must be 3 or 6 numbers, not ${value.length}`);
    }
    const list = numbers(builder.where, option, value, value.length);
    for (const [i, entry] of list.entries()) builder.notNegative(`${option}[${i}]`, entry);
    return value.length === 6 ? list : [...list, 0, 0, 0];
  }
  const both = value as { translation?: unknown; rotation?: unknown };
  builder.checkInner(option, both, [], ["translation", "rotation"]);
  const along = builder.notNegative(`${option}.translation`, both.translation);
  const about = builder.notNegative(`${option}.rotation`, both.rotation);
  return [along, along, along, about, about, about];
}
