import { isModel, type Model } from "../../describe/mechanism.js";
import { descriptionOf, NOTHING_SET } from "../../describe/settings.js";
import { answerMissing, optionsOf, rule, type Shape } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { RunLimits, withLimits } from "../../ground/run-limits.js";
import { initBodies } from "../../ground/wasm/bodies.js";
import { init } from "../../ground/wasm/module.js";
import { checkCompile, MODEL_SHAPE, type ModelOptions } from "./compile-options.js";
import { CompiledModel } from "./compiled-model.js";
import { BodySimulation } from "./simulation/simulation.js";

/** Options of {@link compile}. */
export interface CompileOptions extends ModelOptions {
  /**
   * A model that was compiled before, of the same mechanism: where only masses, inertias, gravity or constants of forces differ, its start, ranks
   * and tree are taken over, with the bits of a compilation from nothing in a fraction of the time. Else it is not used.
   *
   * @example
   * const heavier = await compile(crane(200), { like: await compile(crane(100)) });
   */
  readonly like?: CompiledModel;
}

answerMissing("system", CompiledModel.prototype);
answerMissing("simulation", BodySimulation.prototype);

const COMPILE_SHAPE: Shape<CompileOptions> = {
  ...MODEL_SHAPE,
  like: rule<CompiledModel>(
    "a compiled model",
    (value) => typeof (value as Partial<CompiledModel> | null)?.twinOf === "function",
  ),
};

/**
 * Compiles a model: loads the kernels, assembles the start and checks the constraints. The result can be simulated many
 * times.
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
  const read = optionsOf("compile", "STEP", options, COMPILE_SHAPE, more);
  const { time = 0, signal, maximumSeconds, joints, like, ...rest } = read;
  const watch = new RunLimits(signal, maximumSeconds ?? Number.POSITIVE_INFINITY);
  const description = descriptionOf(model);
  const given = model.data();
  // Only what controllers set needs the calls again.
  const data = given.controllers.some(({ sets }) => sets) ? description.data(NOTHING_SET) : given;
  if (data.bodies.length === 0) {
    throw new NodriftError(
      "DESCRIPTION",
      `${data.name}: there is no body: add one with body({ ... })`,
    );
  }
  checkCompile(read, data);
  const [module] = await Promise.all([initBodies(), init()]);
  return withLimits(watch, () => {
    watch.check();
    const described = { description, settings: NOTHING_SET };
    const twin = like?.twinOf(data, described, read);
    if (twin) return twin;
    const compiled = new CompiledModel(data, module, time, rest, described);
    return joints ? compiled.startingAt(joints) : compiled;
  });
}
