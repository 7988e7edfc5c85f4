import { ForceKind } from "../../../assembly/layout-bodies.js";
import {
  answerMissing,
  listOf,
  optionsOf,
  options as pins,
  rule,
  type Shape,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { RunLimits, withLimits } from "../../base/run-limits.js";
import { initBodies } from "../../base/wasm/bodies.js";
import { init } from "../../base/wasm/module.js";
import { type Body, type Handle, type Joint, partName, partRule } from "../../model/handles.js";
import { isModel, type Model } from "../../model/mechanism.js";
import type { ModelData } from "../../model/model-data.js";
import { descriptionOf, NOTHING_SET } from "../../model/settings.js";
import { formulasOf, hasFunctions } from "../../systems/bodies/plan/plan.js";
import { formulaLaws, userFunctions } from "../../systems/bodies/system/quantities.js";
import { Simulation } from "../stepping/simulation.js";
import { type CompiledOptions, checkCompile, MODEL_SHAPE } from "./compile-options.js";
import { CompiledModel } from "./compiled-model.js";
import { impulseCode } from "./simulation/mechanism.js";
import { BodySimulation, impactHandler } from "./simulation/simulation.js";

/** Options of {@link compile}. Bodies and joints are given by their handles or their names. */
export interface CompileOptions extends Omit<CompiledOptions, "tree" | "hold"> {
  /**
   * Fixes parts of the tree of joint coordinates; the rest is chosen. `report.tree` shows the result.
   *
   * @example
   * await compile(fourBar, { tree: { cut: ["rocker pin"] } });
   */
  readonly tree?: {
    /** Joints that remain constraints. */
    readonly cut?: readonly (string | Joint)[];
    /** Joints that are nodes of the tree. */
    readonly keep?: readonly (string | Joint)[];
    /** Bodies with free coordinates although joints hold them: see {@link TreePins}. */
    readonly free?: readonly (string | Body)[];
  };
  /**
   * Bodies that keep exactly the pose and velocity given; the others come as near to the given ones as the joints
   * allow. An empty list holds none. Default: no pose is held, and every given velocity is.
   */
  readonly hold?: readonly (string | Body)[];
  /**
   * A compiled model of the same mechanism. If only masses, inertias, gravity or force constants differ, its initial
   * state, ranks and tree are reused: bitwise the same result in a fraction of the time. Otherwise ignored.
   *
   * @example
   * const heavier = await compile(crane(200), { reuse: await compile(crane(100)) });
   */
  readonly reuse?: CompiledModel;
}

const joints = listOf(partRule<Joint>("a joint"), "a list of joints, or their names");
const bodies = listOf(partRule<Body>("a body"), "a list of bodies, or their names");

answerMissing("system", CompiledModel.prototype);
answerMissing("simulation", BodySimulation.prototype, Simulation.prototype);

const COMPILE_SHAPE: Shape<CompileOptions> = {
  ...MODEL_SHAPE,
  tree: pins<NonNullable<CompileOptions["tree"]>>({ cut: joints, keep: joints, free: bodies }),
  hold: bodies,
  reuse: rule<CompiledModel>(
    "a compiled model",
    (value) => typeof (value as Partial<CompiledModel> | null)?.reusedFor === "function",
  ),
};

/**
 * Compiles a model: loads the kernels, assembles the initial state and checks the constraints. The result can be
 * simulated many times.
 *
 * @example
 * const system = await compile(pendulum);
 * const simulation = system.simulate({ step: 1e-3 });
 */
export async function compile(
  model: Model,
  options: CompileOptions = {},
  ...more: undefined[]
): Promise<CompiledModel> {
  if (!isModel(model)) {
    throw new NodriftError(
      "DESCRIPTION",
      "compile takes what model() made: const m = model(); ...; await compile(m)",
    );
  }
  const { reuse, ...given } = optionsOf("compile", "STEP", options, COMPILE_SHAPE, more);
  const described = model.data();
  const read = withNames(given, described);
  const { time = 0, signal, maximumSeconds, joints, ...rest } = read;
  const limits = new RunLimits(signal, maximumSeconds ?? Number.POSITIVE_INFINITY);
  const description = descriptionOf(model);
  // Only parameters set by controllers need the calls again.
  const data = described.controllers.some(({ sets }) => sets)
    ? description.data(NOTHING_SET)
    : described;
  if (data.bodies.length === 0) {
    throw new NodriftError(
      "DESCRIPTION",
      `${data.name}: there is no body: add one with body({ ... })`,
    );
  }
  checkCompile(read, data);
  const [module] = await Promise.all([initBodies(), init(), ...neededCode(data)]);
  return withLimits(limits, () => {
    limits.check();
    const own = { description, settings: NOTHING_SET };
    const reused = reuse?.reusedFor(data, own, read);
    if (reused) return reused;
    const compiled = new CompiledModel(data, module, time, rest, own);
    return joints ? compiled.startingAt(joints) : compiled;
  });
}

/** Loads code for parts that few models have. */
function neededCode(data: ModelData): Promise<void>[] {
  const hasStops = data.forces.some(({ kind }) => kind === ForceKind.STOP);
  return [
    ...(formulasOf(data).length > 0 ? [formulaLaws.load()] : []),
    ...(hasFunctions(data) ? [userFunctions.load()] : []),
    ...(hasStops ? [impulseCode.load(), impactHandler.load()] : []),
  ];
}

/** Replaces handles in options by names. */
function withNames({ tree, hold, ...rest }: Omit<CompileOptions, "reuse">, data: ModelData) {
  const names = (list: readonly unknown[] | undefined, option: string, kind: Handle["kind"]) =>
    list?.map((part) => partName(`compile: ${option}`, data, part, kind));
  const read: CompiledOptions = {
    ...rest,
    ...(tree && {
      tree: {
        cut: names(tree.cut, "cut", "joint"),
        keep: names(tree.keep, "keep", "joint"),
        free: names(tree.free, "free", "body"),
      },
    }),
    ...(hold && { hold: names(hold, "hold", "body")! }),
  };
  return read;
}
